/** File permissions. Other accounts of the machine must not read the database and the photos. */
import { chmodSync } from 'node:fs';

/** Sets the umask, so that this process and its children create files with mode 0600 and folders with 0700. */
export function setPrivateUmask(): void {
  process.umask(0o077);
}

/** Sets mode 0600 on files that an earlier version created with a wider mode. */
export function makeFilesPrivate(files: string[]): void {
  for (const file of files) {
    try {
      chmodSync(file, 0o600);
    } catch {
      // The file does not exist, belongs to another user, or is on a file system without modes. Then the folder's
      // permissions decide.
    }
  }
}
