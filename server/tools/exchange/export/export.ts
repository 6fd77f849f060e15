/** Exports the data of a user to a folder: originals in folders of albums, with JSON files beside them. */
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Deps } from '../../../deps.ts';
import { inParallel } from '../../../platform/concurrency/in-parallel.ts';
import type { UserRow } from '../../../platform/db/tables.ts';
import { readBytes } from '../import/open-file.ts';
import { maxSidecarBytes } from '../plan/source-file.ts';
import { parseJsonObject } from '../plan/takeout-json.ts';
import { albumFileName, exportFileName } from '../schema.ts';
import { yieldAccountEntries } from './account.ts';
import { describeExport, describeExportedAlbum } from './describe.ts';
import { type PhotoExportPath, yieldExportPaths } from './export-paths.ts';
import { writeBytes, writeJson } from './files.ts';
import { exportPhoto } from './photo.ts';
import { doesPhotoExist } from './rows.ts';

export interface ExportOptions {
  /** Path of the folder, which is created if it does not exist. */
  root: string;
  jobs: number;
  onStep(): void;
}

export interface ExportSummary {
  photos: number;
  /** Number of exported photos that are in the trash. */
  trashed: number;
  albums: number;
  /** Photos whose original is missing or damaged, with the path that the file would have had. */
  problems: { path: string; reason: string }[];
}

/**
 * Exports the data of a user. Existing files with the right bytes stay unchanged. Throws an error if the folder cannot
 * be written.
 */
export async function exportUser(deps: Deps, user: UserRow, options: ExportOptions): Promise<ExportSummary> {
  const { root, jobs, onStep } = options;
  const summary: ExportSummary = { photos: 0, trashed: 0, albums: 0, problems: [] };
  await mkdir(root, { recursive: true });
  await writeJson(join(root, exportFileName), describeExport(deps, user, summary, false));
  await inParallel(photos(), jobs, one);
  for await (const { path, bytes, modified } of yieldAccountEntries(deps, user.id)) {
    await writeBytes(join(root, path), bytes, modified.getTime() / 1000);
  }
  await writeJson(join(root, exportFileName), describeExport(deps, user, summary, true));
  return summary;

  /** Yields the photos, and creates each folder before its content. */
  async function* photos(): AsyncGenerator<PhotoExportPath> {
    for await (const place of yieldExportPaths(deps, user.id)) {
      if (!('album' in place)) {
        // A folder of the trash must be created here, because no album in the list creates it.
        if (place.photo.delete_time !== null)
          await mkdir(dirname(join(root, place.path)), { recursive: true });
        yield place;
        continue;
      }
      await mkdir(join(root, place.path), { recursive: true });
      await writeJson(join(root, place.path, albumFileName), describeExportedAlbum(place.album));
      summary.albums++;
    }
  }

  async function one({ photo, path }: PhotoExportPath): Promise<void> {
    const reason = await exportPhoto(deps, photo, join(root, path));
    onStep();
    if (reason === '') {
      summary.photos++;
      if (photo.delete_time !== null) summary.trashed++;
      return;
    }
    // A photo that was deleted during the export is no problem.
    if (await doesPhotoExist(deps, photo.id)) summary.problems.push({ path, reason });
  }
}

/** Returns the username that the export in a folder belongs to, or undefined if the folder has no export. */
export async function findExportOwner(root: string): Promise<string | undefined> {
  const bytes = await readBytes(join(root, exportFileName), maxSidecarBytes).catch(() => undefined);
  const owner = bytes && parseJsonObject(bytes)?.username;
  return typeof owner === 'string' ? owner : undefined;
}
