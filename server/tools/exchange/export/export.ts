/** Everything that a user has, as files that need no gallery: originals in folders of albums, with JSON beside them. */
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Deps } from '../../../deps.ts';
import { inParallel } from '../../../platform/concurrency/in-parallel.ts';
import type { UserRow } from '../../../platform/db/tables.ts';
import { parseObject, readSidecarBytes } from '../import/sidecar.ts';
import { albumFileName, exportFileName } from '../schema.ts';
import { accountEntries } from './account.ts';
import { describeAlbum, describeExport } from './describe.ts';
import { writeBytes, writeJson } from './files.ts';
import { exportPhoto } from './photo.ts';
import { type PhotoPlace, placesOf } from './places.ts';
import { isStillThere } from './rows.ts';

export interface ExportOptions {
  /** Made where it is not there. */
  root: string;
  jobs: number;
  onStep(): void;
}

export interface ExportSummary {
  photos: number;
  /** Of them in the trash. */
  trashed: number;
  albums: number;
  /** Photos whose original is missing or damaged, by the file that they were to become. */
  problems: { path: string; reason: string }[];
}

/** Files that are there already with the right bytes are left alone. Throws when the folder cannot be written. */
export async function exportUser(deps: Deps, user: UserRow, options: ExportOptions): Promise<ExportSummary> {
  const { root, jobs, onStep } = options;
  const summary: ExportSummary = { photos: 0, trashed: 0, albums: 0, problems: [] };
  await mkdir(root, { recursive: true });
  await writeJson(join(root, exportFileName), describeExport(deps, user, summary, false));
  await inParallel(photos(), jobs, one);
  for await (const { path, bytes, modified } of accountEntries(deps, user.id)) {
    await writeBytes(join(root, path), bytes, modified.getTime() / 1000);
  }
  await writeJson(join(root, exportFileName), describeExport(deps, user, summary, true));
  return summary;

  /** Makes the folders on the way, each before what is in it. */
  async function* photos(): AsyncGenerator<PhotoPlace> {
    for await (const place of placesOf(deps, user.id)) {
      if (!('album' in place)) {
        // Only folders of the trash come without an album of their own.
        if (place.photo.delete_time !== null)
          await mkdir(dirname(join(root, place.path)), { recursive: true });
        yield place;
        continue;
      }
      await mkdir(join(root, place.path), { recursive: true });
      await writeJson(join(root, place.path, albumFileName), describeAlbum(place.album));
      summary.albums++;
    }
  }

  async function one({ photo, path }: PhotoPlace): Promise<void> {
    const reason = await exportPhoto(deps, photo, join(root, path));
    onStep();
    if (reason === '') {
      summary.photos++;
      if (photo.delete_time !== null) summary.trashed++;
      return;
    }
    // A photo that was deleted meanwhile is no problem.
    if (await isStillThere(deps, photo.id)) summary.problems.push({ path, reason });
  }
}

/** The username; undefined where there is none yet. */
export async function ownerOf(root: string): Promise<string | undefined> {
  const bytes = await readSidecarBytes(join(root, exportFileName)).catch(() => undefined);
  const owner = bytes && parseObject(bytes)?.username;
  return typeof owner === 'string' ? owner : undefined;
}
