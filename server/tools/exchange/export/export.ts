/** Everything that a user has, as files that need no gallery: originals in folders of albums, with JSON beside them. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Deps } from '../../../deps.ts';
import { inParallel } from '../../../platform/concurrency/in-parallel.ts';
import { each } from '../../../platform/db/pages.ts';
import type { UserRow } from '../../../platform/db/tables.ts';
import { parseObject, readSidecarText } from '../import/sidecar.ts';
import {
  type AlbumFile,
  albumFileName,
  type ExportFile,
  exportFileName,
  exportTime,
  exportVersion,
} from '../schema.ts';
import { writeJson } from './files.ts';
import { createFolderNames } from './names.ts';
import { exportPhoto } from './photo.ts';
import { type ExportedAlbum, type ExportedPhoto, findAlbums, isStillThere, photosOf } from './rows.ts';

export interface ExportOptions {
  /** Made where it is not there. */
  root: string;
  jobs: number;
  onStep(): void;
}

export interface ExportSummary {
  photos: number;
  albums: number;
  /** Photos whose original is missing or damaged, by the file that they were to become. */
  problems: { path: string; reason: string }[];
}

/** Files that are there already with the right bytes are left alone. Throws when the folder cannot be written. */
export async function exportUser(deps: Deps, user: UserRow, options: ExportOptions): Promise<ExportSummary> {
  const { root, jobs, onStep } = options;
  const albums = Map.groupBy(await findAlbums(deps, user.id), ({ parent_id }) => parent_id);
  const summary: ExportSummary = { photos: 0, albums: 0, problems: [] };
  await mkdir(root, { recursive: true });
  await writeJson(join(root, exportFileName), describeExport(deps, user, summary, false));
  await exportFolder('', null);
  await writeJson(join(root, exportFileName), describeExport(deps, user, summary, true));
  return summary;

  /** Photos first, then the albums in it: the names of one folder are in memory at a time, and of those above. */
  async function exportFolder(folder: string, albumId: number | null): Promise<void> {
    const names = createFolderNames();
    const inner = (albums.get(albumId) ?? []).map((album) => ({
      album,
      path: join(folder, names.folder(album.name, album.id)),
    }));
    const named = async function* () {
      for await (const photo of each(photosOf(deps, user.id, albumId))) {
        yield { photo, path: join(folder, names.photo(photo)) };
      }
    };
    await inParallel(named(), jobs, one);
    for (const { album, path } of inner) {
      await mkdir(join(root, path), { recursive: true });
      await writeJson(join(root, path, albumFileName), describeAlbum(album));
      summary.albums++;
      await exportFolder(path, album.id);
    }
  }

  async function one({ photo, path }: { photo: ExportedPhoto; path: string }): Promise<void> {
    const reason = await exportPhoto(deps, photo, join(root, path));
    onStep();
    if (reason === '') summary.photos++;
    // A photo that was deleted meanwhile is no problem.
    else if (await isStillThere(deps, photo.id)) summary.problems.push({ path, reason });
  }
}

function describeAlbum(album: ExportedAlbum): AlbumFile {
  return {
    schema: 'lightwell-album',
    version: exportVersion,
    id: album.id,
    name: album.name,
    description: album.description,
    is_public: album.is_public as 0 | 1,
    create_time: exportTime(album.create_time),
    update_time: exportTime(album.update_time),
    cover_sha256: album.cover_sha256,
    rule: album.rule,
  };
}

function describeExport(
  { clock }: Deps,
  { username }: UserRow,
  { photos, albums }: ExportSummary,
  complete: boolean,
): ExportFile {
  return {
    schema: 'lightwell-export',
    version: exportVersion,
    username,
    export_time: exportTime(clock()),
    complete,
    albums,
    photos,
  };
}

/** The username; undefined where there is none yet. */
export async function ownerOf(root: string): Promise<string | undefined> {
  const text = await readSidecarText(join(root, exportFileName)).catch(() => '');
  const owner = parseObject(text)?.username;
  return typeof owner === 'string' ? owner : undefined;
}
