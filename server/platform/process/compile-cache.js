/** Turns on Node's compile cache: modules without types and compiled, for faster later starts. */
import { lstatSync, mkdirSync } from 'node:fs';
import { enableCompileCache, getCompileCacheDir } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Enables the compile cache in a folder that only this system user can write to, because Node runs the code it finds
 * there. Node's default folder is shared, and another account could create it first.
 */
export function enableOwnCompileCache() {
  // Node already uses the folder that NODE_COMPILE_CACHE names.
  if (getCompileCacheDir() !== undefined) return;
  const uid = process.getuid?.();
  const folder = join(tmpdir(), `lightwell-modules-${uid ?? 'user'}`);
  if (isOwnFolder(folder, uid)) enableCompileCache(folder);
}

/**
 * @param {string} folder
 * @param {number | undefined} uid
 */
function isOwnFolder(folder, uid) {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch {
    // The folder exists already or cannot be created. The check below covers both cases.
  }
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (!found?.isDirectory()) return false;
  // Windows has a separate temporary folder for each user.
  return uid === undefined || (found.uid === uid && (found.mode & 0o077) === 0);
}
