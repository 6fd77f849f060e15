/** Imports a folder tree or a ZIP of photos for one user. After an interruption, another run continues the import. */
import { join } from 'node:path';
import type { Deps } from '../../../deps.ts';
import { storePhotoOrder } from '../../../gallery/albums/photos/order.ts';
import type { Viewer } from '../../../gallery/identity/viewer.ts';
import { inParallel } from '../../../platform/concurrency/in-parallel.ts';
import { retryForSeconds } from '../../../platform/db/retry.ts';
import { updatePlannerStatistics } from '../../../platform/db/statistics.ts';
import { ApiError, errorCatalogue, joinFieldErrors } from '../../../platform/errors/catalogue.ts';
import { getErrorCode, StorageFull } from '../../../platform/errors/storage.ts';
import { EditError, ImageError } from '../../../platform/imaging/errors.ts';
import { accountFileName } from '../account-schema.ts';
import { trashFolderName } from '../schema.ts';
import { importAccount } from './account.ts';
import { type AlbumImporter, createAlbumImporter, type ImportAlbumOptions } from './albums.ts';
import { createImportFile, type ImportedFile } from './file.ts';
import type { ImportSource } from './source.ts';
import { type FoundFile, type FoundFolder, NotAFile } from './walk.ts';

export interface ImportOptions extends ImportAlbumOptions {
  jobs: number;
  onStep(): void;
}

export interface ImportSummary {
  imported: number;
  /** Number of files whose photos the user already had. */
  present: number;
  albums: number;
  links: number;
  /** Files that were not imported completely, at most ten thousand. */
  problems: { path: string; reason: string }[];
  /** Reason why the import stopped early, or undefined. */
  stopped: string | undefined;
}

const maxProblems = 10_000;

export async function countImportFiles(source: ImportSource): Promise<number> {
  let count = 0;
  for await (const { files } of source.folders()) count += files.length;
  return count;
}

/** Imports all files of a source. Throws an error if the database or the storage is unreachable for a long time. */
export async function importAllFiles(
  deps: Deps,
  viewer: Viewer,
  options: ImportOptions,
): Promise<ImportSummary> {
  const { source } = options;
  const albums = createAlbumImporter(deps, viewer, options);
  const summary: ImportSummary = {
    imported: 0,
    present: 0,
    albums: 0,
    links: 0,
    problems: [],
    stopped: undefined,
  };
  const importFile = createImportFile(deps, viewer, source);

  try {
    await inParallel(tasks(), options.jobs, (task) => task());
    await albums.finish();
    if (!options.isDryRun) {
      await attempt(accountFileName, () => importAccount(deps, viewer.id, source));
      await updatePlannerStatistics(deps.db, { isBulk: true });
    }
  } catch (error) {
    if (!isOutOfSpace(error)) throw error;
    summary.stopped = (error as Error).message;
  }
  return { ...summary, albums: albums.made };

  async function* tasks(): AsyncGenerator<() => Promise<void>> {
    for await (const folder of source.folders()) {
      summary.links += folder.links;
      if (folder.refusal) complain(join(...folder.path), folder.refusal);
      const done = createFolder(deps, viewer, folder, albums);
      if (folder.isAlbum) await attempt(join(...folder.path, 'album.json'), () => albums.of(folder));
      for (const [index, file] of folder.files.entries()) yield () => one(folder, file, index, done);
    }
  }

  async function one(folder: FoundFolder, file: FoundFile, index: number, done: FolderEnd): Promise<void> {
    const result = await attempt(join(...folder.path, file.name), () =>
      retryForSeconds(
        () =>
          importFile({
            folder: folder.path,
            file,
            album: (isTrashed) => albums.of(isTrashed ? withoutTrash(folder) : folder),
            isPrivate: options.isPrivate,
            isDryRun: options.isDryRun,
            references: albums.references,
          }),
        isBusy,
      ),
    );
    if (result?.isNew) summary.imported++;
    else if (result) summary.present++;
    await done(index, result);
    options.onStep();
  }

  async function attempt<Result>(path: string, work: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await work();
    } catch (error) {
      const reason = describeImportRefusal(error);
      if (reason === undefined) throw error;
      complain(path, reason);
      return undefined;
    }
  }

  function complain(path: string, reason: string): void {
    if (summary.problems.length < maxProblems) summary.problems.push({ path, reason });
  }
}

/** Removes the trash folder from a path. An export has the album folders of trashed photos inside the trash folder. */
function withoutTrash({ path }: FoundFolder): { path: string[] } {
  return { path: path[0] === trashFolderName ? path.slice(1) : path };
}

type FolderEnd = (index: number, result: ImportedFile | undefined) => Promise<void>;

/**
 * Returns a function to call after each file of a folder. After the last file, the function sorts new photos among the
 * existing ones.
 */
function createFolder(deps: Deps, viewer: Viewer, folder: FoundFolder, albums: AlbumImporter): FolderEnd {
  const placed: { id: number; albumId: number | null; at: number }[] = [];
  let left = folder.files.length;
  let isChanged = false;
  return async (index, result) => {
    isChanged ||= result?.isNew === true && result.photo !== undefined;
    if (result?.photo) {
      placed.push({ id: result.photo.id, albumId: result.photo.album_id, at: result.position ?? index });
    }
    if (--left > 0 || !isChanged) return;
    const albumId = await albums.of(folder);
    if (albumId === undefined) return;
    const ids = placed
      .filter((photo) => photo.albumId === albumId)
      .sort((one, other) => one.at - other.at)
      .map(({ id }) => id);
    await storePhotoOrder(deps, viewer, albumId, ids).catch(ignoreRefusal);
  };
}

/** Ignores a refused order, because the user may have moved a photo during the import, and the user's change wins. */
function ignoreRefusal(error: unknown): void {
  if (!(error instanceof ApiError) || error.status >= 500) throw error;
}

/** Returns true if the import failed because the photo was edited at the same time. */
function isBusy(error: unknown): boolean {
  return error instanceof ApiError && error.code === errorCatalogue.busy.code;
}

/** Returns true if no further file can be imported, because the quota or the disk is full. */
export function isOutOfSpace(error: unknown): boolean {
  if (error instanceof StorageFull) return true;
  return error instanceof ApiError && error.code === errorCatalogue.quotaExceeded.code;
}

/** Error codes of the file system that concern one file. Other codes mean a problem of the machine. */
const singleFileErrors = new Set([
  'EACCES',
  'EPERM',
  'ENOENT',
  'EIO',
  'ELOOP',
  'EISDIR',
  'ENAMETOOLONG',
  'ESTALE',
]);

/**
 * Returns the reason why a file was not imported, or undefined if the error is not about the file and must stop the
 * import.
 */
export function describeImportRefusal(error: unknown): string | undefined {
  if (error instanceof ImageError) return error.message;
  if (error instanceof EditError) return `imported, but its edits could not be applied: ${error.message}`;
  if (error instanceof ApiError) {
    if (error.status >= 500 || isOutOfSpace(error)) return undefined;
    return error.fields ? joinFieldErrors(error.fields) : error.message;
  }
  if (error instanceof NotAFile) return error.message;
  const code = getErrorCode(error);
  return code !== undefined && singleFileErrors.has(code) ? `The file cannot be read (${code})` : undefined;
}
