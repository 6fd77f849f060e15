/** Yields the entries of an export as a ZIP archive, which is created while it is sent. */
import { join } from 'node:path/posix';
import { Readable } from 'node:stream';
import type { Deps } from '../../../deps.ts';
import type { UserRow } from '../../../platform/db/tables.ts';
import { objectName } from '../../../platform/storage/keys.ts';
import type { ZipEntry, ZipFolder } from '../../../platform/zip/zip.ts';
import { albumFileName, exportFileName, missingFileName } from '../schema.ts';
import { yieldAccountEntries } from './account.ts';
import { describeExport, describeExportedAlbum, jsonText } from './describe.ts';
import { yieldExportPaths } from './export-paths.ts';
import { describeExportedPhoto, xmpEnding } from './photo.ts';
import { doesPhotoExist, type ExportedPhoto } from './rows.ts';

/**
 * Yields the entries of a user's archive. A photo without its original has only its JSON file, and `missing.txt` names
 * that photo. `mayGoOn` is called before each photo and account file, and throws an error if the caller may no longer
 * continue.
 */
export async function* yieldExportArchiveEntries(
  deps: Deps,
  user: Pick<UserRow, 'id' | 'username'>,
  mayGoOn: () => Promise<void>,
): AsyncGenerator<ZipEntry | ZipFolder> {
  const now = new Date(deps.clock() * 1000);
  const counts = { photos: 0, albums: 0, trashed: 0 };
  const missing: string[] = [];
  for await (const place of yieldExportPaths(deps, user.id)) {
    const { path } = place;
    if ('album' in place) {
      const modified = new Date(place.album.update_time * 1000);
      yield { path: `${path}/`, modified };
      yield textEntry(join(path, albumFileName), jsonText(describeExportedAlbum(place.album)), modified);
      counts.albums++;
      continue;
    }
    await mayGoOn();
    const original = await originalEntry(deps, place.photo, path);
    if (!original && !(await doesPhotoExist(deps, place.photo.id))) continue;
    if (original) yield original;
    else missing.push(path);
    const { json, xmp } = await describeExportedPhoto(deps, place.photo);
    yield textEntry(`${path}.json`, jsonText(json), now);
    if (xmp !== '') yield textEntry(`${path}${xmpEnding}`, xmp, now);
    counts.photos += original ? 1 : 0;
    counts.trashed += original && place.photo.delete_time !== null ? 1 : 0;
  }
  if (missing.length > 0) yield textEntry(missingFileName, `${missing.join('\n')}\n`, now);
  for await (const entry of yieldAccountEntries(deps, user.id)) {
    await mayGoOn();
    yield entry;
  }
  const isComplete = missing.length === 0;
  yield textEntry(exportFileName, jsonText(describeExport(deps, user, counts, isComplete)), now);
}

async function originalEntry(
  { storage }: Deps,
  photo: ExportedPhoto,
  path: string,
): Promise<ZipEntry | undefined> {
  const bytes = await storage.open(objectName(photo.original_key, 'original', photo.extension));
  return bytes && { path, modified: new Date(photo.taken_time * 1000), bytes };
}

function textEntry(path: string, text: string, modified: Date): ZipEntry {
  const bytes = Buffer.from(text);
  return { path, modified, bytes: Readable.from([bytes]), size: bytes.length };
}
