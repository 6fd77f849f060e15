/** Keeps modules stripped of their types and compiled, so that later starts are quicker. */
import { lstatSync, mkdirSync } from 'node:fs';
import { enableCompileCache, getCompileCacheDir } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * In a folder that only this system user may write to, because Node runs what it finds there. Node's own default is a
 * name in the shared temporary folder, which another account may create first.
 */
export function keepCompiledModules() {
  // NODE_COMPILE_CACHE names a folder, and Node has taken it already.
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
    // It is there, or cannot be made: looked at below.
  }
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (!found?.isDirectory()) return false;
  // Windows has a temporary folder for each user.
  return uid === undefined || (found.uid === uid && (found.mode & 0o077) === 0);
}
