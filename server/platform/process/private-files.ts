/** File permissions. Other accounts of the machine must not read the database and the photos. */
import { chmodSync, statSync } from 'node:fs';

/** Sets the umask, so that this process and its children create files with mode 0600 and folders with 0700. */
export function setPrivateUmask(): void {
  process.umask(0o077);
}

/**
 * Sets mode 0600 on files that an earlier version created with a wider mode. Returns the files that stay readable to
 * others: they belong to another user, or their file system has no modes. Then the folder's permissions decide.
 */
export function makeFilesPrivate(files: string[]): string[] {
  return files.filter((file) => isReadableByOthers(file) && !tryChmod(file));
}

function isReadableByOthers(file: string): boolean {
  const found = statSync(file, { throwIfNoEntry: false });
  return process.platform !== 'win32' && found !== undefined && (found.mode & 0o077) !== 0;
}

function tryChmod(file: string): boolean {
  try {
    chmodSync(file, 0o600);
    return true;
  } catch {
    return false;
  }
}
