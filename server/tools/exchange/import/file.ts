/** Imports one file as a photo with the same steps as an upload, or finds the photo that its owner already has. */
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Deps } from '../../../deps.ts';
import type { Viewer } from '../../../gallery/identity/viewer.ts';
import { readRequestedLevel } from '../../../gallery/library/level-fields.ts';
import { cleanTags } from '../../../gallery/library/tags.ts';
import { addAlbumReferences } from '../../../gallery/photos/albums/add-and-remove.ts';
import { insertEditHistory } from '../../../gallery/photos/edit/history.ts';
import { changeReaction } from '../../../gallery/photos/likes.ts';
import {
  findDuplicatePhoto,
  findDuplicatePhotos,
  findTrashedDuplicates,
  type SamePhoto,
} from '../../../gallery/photos/upload/same-original.ts';
import { savePhoto, type UploadedPhotoDetails } from '../../../gallery/photos/upload/upload.ts';
import { Level } from '../../../platform/db/states.ts';
import { errors } from '../../../platform/errors/catalogue.ts';
import { getErrorCode, StorageFull } from '../../../platform/errors/storage.ts';
import type { EditStep } from '../../../platform/imaging/edits/actions.ts';
import type { FileFacts } from '../../../platform/imaging/metadata/fields.ts';
import { toLocalWallClock } from '../../../platform/imaging/metadata/wall-clock.ts';
import { computeChecksum, createChecksumMeter } from '../../../platform/storage/checksum.ts';
import type { TemporaryFile } from '../../../platform/storage/storage.ts';
import { type PhotoJson, parseExportTime } from '../schema.ts';
import type { ReferenceImporter } from './references.ts';
import { choosePhotoTitle, cleanDescription, type PhotoSidecar, readSidecar } from './sidecar.ts';
import type { ImportSource, ImportSourceFile } from './source.ts';
import { trashImportedPhoto } from './trash.ts';
import { type FoundFile, openFile } from './walk.ts';

export interface FileToImport {
  /** Folder of the file in the source, as names from the top. */
  folder: string[];
  file: FoundFile;
  /** Returns the id of the photo's album. Called only if the file is imported, so that no unused album is created. */
  album(isTrashed: boolean): Promise<number | undefined>;
  isPrivate: boolean;
  isDryRun: boolean;
  /** Collects the references of exported photos. */
  references: ReferenceImporter;
}

export interface ImportedFile {
  isNew: boolean;
  /** The imported or existing photo, or undefined in a dry run and for a photo in the trash. */
  photo: Pick<SamePhoto, 'id' | 'album_id'> | undefined;
  /** Position in the album from an export, or undefined without an export. */
  position: number | undefined;
}

/**
 * Imports one file. Throws ImageError, ApiError or an error of the file system if no photo was created. Throws
 * EditError if the photo was created without its edits.
 */
export type ImportFile = (asked: FileToImport) => Promise<ImportedFile>;

/** Maximum number of photos with the same original that are compared with a file. */
const maxDuplicates = 1000;

/**
 * Returns the function that imports files. Files with the same bytes are imported one after the other, so that the
 * second file finds the photo of the first.
 */
export function createImportFile(deps: Deps, viewer: Viewer, source: ImportSource): ImportFile {
  const underWay = new Map<string, Promise<unknown>>();
  /** Ids of photos that are matched to a file of the export, because each photo matches only one file. */
  const taken = new Set<number>();
  /** Checksums of the files so far. */
  const seen = new Set<string>();
  return async (asked) => {
    const file = await source.open([...asked.folder, asked.file.name], deps.config.maxUploadBytes);
    try {
      return await importFile(asked, file);
    } finally {
      await file.close();
    }
  };

  async function importFile(asked: FileToImport, file: ImportSourceFile): Promise<ImportedFile> {
    const inspected = await inspectFile(deps, source, asked, file);
    const { sha256 } = inspected;
    while (underWay.has(sha256)) await underWay.get(sha256)!.catch(() => {});
    const isRepeated = seen.has(sha256);
    seen.add(sha256);
    const work = saveFile(deps, viewer, asked, { ...inspected, isRepeated }, taken);
    underWay.set(sha256, work);
    const result = await work.finally(() => underWay.delete(sha256));
    if (!asked.isDryRun) return result;
    const isNew = result.isNew && (inspected.exported !== undefined || !isRepeated);
    return { ...result, isNew };
  }
}

type InspectedFile = PhotoSidecar & { source: ImportSourceFile; sha256: string; facts: FileFacts };

async function inspectFile(
  deps: Deps,
  source: ImportSource,
  asked: FileToImport,
  file: ImportSourceFile,
): Promise<InspectedFile> {
  const { maxMegapixels } = deps.config;
  // A dry run decodes only the metadata. An import decodes the whole picture later.
  if (asked.isDryRun) await deps.imaging.exif(file.path, { maxMegapixels });
  else await deps.imaging.inspect(file.path, maxMegapixels);
  const sidecar = await readSidecar(source, asked.folder, asked.file);
  const { exported } = sidecar;
  const sha256 = file.unpacked?.sha256 ?? (await checksumAt(file.path));
  if (exported && exported.sha256 !== sha256) {
    throw errors.invalid({ message: 'The file is not the one that the .json beside it describes' });
  }
  const xmp = sidecar.xmp && (await deps.imaging.xmp(sidecar.xmp));
  return { ...sidecar, source: file, sha256, facts: { sidecar: xmp, takeoutTime: sidecar.takeoutTime } };
}

async function checksumAt(path: string): Promise<string> {
  const handle = await openFile(path);
  return computeChecksum(handle.createReadStream({ highWaterMark: 256 * 1024 }));
}

async function saveFile(
  deps: Deps,
  viewer: Viewer,
  asked: FileToImport,
  /** `isRepeated` is true if the import has found a file with the same bytes before. */
  { isRepeated, ...inspected }: InspectedFile & { isRepeated: boolean },
  taken: Set<number>,
): Promise<ImportedFile> {
  const { exported } = inspected;
  const isTrashed = exported?.delete_time !== undefined;
  const position = exported?.position;
  const same = await findImported(deps, viewer, inspected, taken);
  if (same) {
    if (exported) taken.add(same.id);
    if (exported && !asked.isDryRun) asked.references.add(same.id, same.album_id ?? undefined, exported);
    if (isTrashed) return { isNew: false, photo: undefined, position };
    if (asked.isDryRun) return { isNew: false, photo: same, position };
    await finishEdits(deps, viewer, same, exported);
    // A file that lies in two folders becomes one photo in two albums.
    const albumId = isRepeated && !exported ? await asked.album(false) : undefined;
    if (albumId === undefined || albumId === same.album_id) return { isNew: false, photo: same, position };
    await addAlbumReferences(deps, viewer, albumId, [same.id]);
    return { isNew: false, photo: { id: same.id, album_id: albumId }, position };
  }
  if (asked.isDryRun) return { isNew: true, photo: undefined, position };
  const albumId = await asked.album(isTrashed);
  const fileName = exported?.file_name ?? asked.file.name;
  const text = photoText(asked, inspected, albumId);
  const { id } = await saveBytes(deps, viewer, inspected.source, fileName, text);
  if (exported) {
    taken.add(id);
    asked.references.add(id, albumId, exported);
    await completePhoto(deps, viewer, id, exported, asked.isPrivate);
  }
  return { isNew: true, photo: isTrashed ? undefined : { id, album_id: albumId ?? null }, position };
}

/**
 * Restores the reactions and edits of a photo, and moves a trashed photo to the trash. If the import is interrupted
 * before that move, the photo stays private.
 */
async function completePhoto(
  deps: Deps,
  viewer: Viewer,
  id: number,
  exported: PhotoJson,
  isPrivate: boolean,
): Promise<void> {
  try {
    await addReactions(deps, viewer, id, exported);
    await insertEdits(deps, viewer, id, exported);
  } finally {
    if (exported.delete_time !== undefined) {
      await trashImportedPhoto(deps, viewer, id, isPrivate ? Level.private : exportedLevel(exported));
    }
  }
}

/**
 * Finds the existing photo for a file. An export can contain several photos of the same bytes with different titles,
 * tags and edits. The photo with the file's creation time is preferred, and then any photo without another file.
 */
async function findImported(
  deps: Deps,
  viewer: Viewer,
  { exported, sha256 }: InspectedFile,
  taken: Set<number>,
): Promise<SamePhoto | undefined> {
  if (!exported) return findDuplicatePhoto(deps, viewer.id, sha256);
  const isOfItsTime = (photo: SamePhoto) => photo.create_time === parseExportTime(exported.create_time);
  if (exported.delete_time !== undefined) {
    const trashed = await findTrashedDuplicates(deps, viewer.id, sha256, maxDuplicates);
    // A photo that its owner has restored from the trash here is still the same photo.
    const others = (await findDuplicatePhotos(deps, viewer.id, sha256, maxDuplicates)).filter(isOfItsTime);
    const free = [...trashed, ...others].filter(({ id }) => !taken.has(id));
    return free.find(isOfItsTime) ?? free[0];
  }
  const all = await findDuplicatePhotos(deps, viewer.id, sha256, maxDuplicates);
  const free = all.filter(({ id }) => !taken.has(id));
  return free.find(isOfItsTime) ?? free[0];
}

function photoText(
  { file, isPrivate }: FileToImport,
  { title, description, facts, exported, source: { modified } }: InspectedFile,
  albumId: number | undefined,
): UploadedPhotoDetails {
  if (exported) {
    return {
      title: exported.title,
      description: exported.description,
      tags: cleanTags(exported.tags),
      // A trashed photo is private, because other users must not see it before its move to the trash.
      level: isPrivate || exported.delete_time !== undefined ? Level.private : exportedLevel(exported),
      albumId,
      takenTime: parseExportTime(exported.taken_time),
      createTime: parseExportTime(exported.create_time),
      isComplete: true,
    };
  }
  return {
    title: choosePhotoTitle(file.name, title),
    description: cleanDescription(description),
    tags: [],
    level: isPrivate ? Level.private : Level.public,
    albumId,
    facts: { ...facts, ...(modified > 0 && { fileTime: toLocalWallClock(modified) }) },
  };
}

/** Exports of earlier versions have only `is_public`. */
function exportedLevel(exported: PhotoJson): Level {
  return readRequestedLevel(exported) ?? Level.private;
}

/** Stores the bytes of a file as a photo. An unpacked temporary file is moved, and a user's own file is copied. */
async function saveBytes(
  deps: Deps,
  viewer: Viewer,
  { path, unpacked }: ImportSourceFile,
  fileName: string,
  text: UploadedPhotoDetails,
) {
  if (unpacked) return savePhoto(deps, viewer, { fileName, ...unpacked }, text);
  const file = await deps.storage.temporary();
  try {
    return await savePhoto(deps, viewer, { file, fileName, ...(await copyInto(path, file)) }, text);
  } finally {
    await file.discard();
  }
}

/**
 * Copies a file to a temporary file. Size and checksum are computed from the copied bytes, because the file may change
 * meanwhile.
 */
async function copyInto(path: string, file: TemporaryFile): Promise<{ size: number; sha256: string }> {
  const meter = createChecksumMeter();
  try {
    const handle = await openFile(path);
    await pipeline(handle.createReadStream(), meter.through, createWriteStream(file.path));
  } catch (error) {
    // A full disk stops the whole import. Other errors concern only this file.
    throw /^(ENOSPC|EDQUOT)$/.test(getErrorCode(error) ?? '') ? new StorageFull(error) : error;
  }
  return meter.sum();
}

/**
 * Adds the edits of a photo if an earlier import was interrupted before them. Photos from other sources stay unchanged.
 */
async function finishEdits(deps: Deps, viewer: Viewer, photo: SamePhoto, exported: PhotoJson | undefined) {
  const isFromHere = exported && parseExportTime(exported.create_time) === photo.create_time;
  if (isFromHere && photo.image_key === photo.original_key) {
    await insertEdits(deps, viewer, photo.id, exported);
  }
}

/** Restores the owner's like and favorite of their own photo. */
async function addReactions(
  deps: Deps,
  viewer: Viewer,
  photoId: number,
  { is_liked, is_favorited }: PhotoJson,
) {
  if (is_liked) await changeReaction(deps, viewer, photoId, 'likes', true);
  if (is_favorited) await changeReaction(deps, viewer, photoId, 'favorites', true);
}

async function insertEdits(deps: Deps, viewer: Viewer, photoId: number, { edits }: PhotoJson): Promise<void> {
  if (edits.length === 0) return;
  const history = edits.map(({ action, params, create_time }) => ({
    step: { action, params } as EditStep,
    createTime: parseExportTime(create_time),
  }));
  await insertEditHistory(deps, viewer, photoId, history);
}
