/** The database and the photos hold what is private: other accounts of the machine may not read them. */
import { chmodSync } from 'node:fs';

/** Files of this process, and of those that it starts, are made for its own user alone: 0600, folders 0700. */
export function keepNewFilesPrivate(): void {
  process.umask(0o077);
}

/** Closes files that an earlier version has made under the umask of its time. */
export function makePrivate(files: string[]): void {
  for (const file of files) {
    try {
      chmodSync(file, 0o600);
    } catch {
      // Not there; or of another user, or on a file system without modes: then the folder decides.
    }
  }
}
