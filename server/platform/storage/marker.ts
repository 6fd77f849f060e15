/**
 * The marker `files/.lightwell`: tells the storage from the empty folder that an unmounted volume leaves behind,
 * and, by the random id in it, one gallery's storage from another's.
 */
import { randomBytes } from 'node:crypto';
import { link, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, isMissing, StorageUnusable } from '../errors/storage.ts';
import { syncFolder, writeDurably } from './durable.ts';

const markerName = '.lightwell';

/** The storage's id, or undefined where there is no marker. */
export async function readMarker(files: string): Promise<string | undefined> {
  try {
    return (await readFile(join(files, markerName), 'utf8')).trim();
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw new StorageUnusable(`The storage in ${files} cannot be read: ${(error as Error).message}`, error);
  }
}

/** Writes a marker unless another process was first; returns the id that holds. */
export async function writeMarker(files: string, temporary: string): Promise<string> {
  await writeDurably(temporary, Buffer.from(`${randomBytes(16).toString('hex')}\n`));
  try {
    // A link, unlike a rename, does not replace the marker of a process that starts at the same moment.
    await link(temporary, join(files, markerName));
  } catch (error) {
    // FAT and some network file systems have no links.
    if (codeOf(error) !== 'EEXIST') await rename(temporary, join(files, markerName));
  }
  await rm(temporary, { force: true });
  await syncFolder(files);
  return (await readMarker(files)) ?? '';
}
