/** Checks the names in an archive, which is not trusted. */
import { BadZip } from './source.ts';

/** Maximum depth of folders. Albums in an export are nested at most eight levels deep. */
const maxDepth = 64;

/**
 * Returns the path without empty names and `.`. Programs of Windows write backslashes between the names. Throws BadZip
 * for a path that leaves the archive, because only an attack has one.
 */
export function normalizePath(name: string): string {
  const path = name.replaceAll('\\', '/');
  if (path.startsWith('/') || /^[A-Za-z]:\//.test(path)) {
    throw new BadZip(`The ZIP has an absolute path (${name})`);
  }
  const names = path.split('/').filter((each) => each !== '' && each !== '.');
  if (names.includes('..')) throw new BadZip(`The ZIP has a relative path to outside (${name})`);
  if (names.length > maxDepth) throw new BadZip(`The folders in the ZIP are nested deeper than ${maxDepth}`);
  return names.join('/');
}
