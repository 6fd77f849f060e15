/** Imports one file as a photo with the same steps as an upload, or finds the photo that its owner already has. */
import type { Deps } from '../../../deps.ts';
import type { Viewer } from '../../../gallery/identity/viewer.ts';
import { cleanTags } from '../../../gallery/library/tags.ts';
import { changeReaction } from '../../../gallery/photos/likes.ts';
import { completePhoto } from '../../../gallery/photos/sidecar/complete.ts';
import type { SamePhoto } from '../../../gallery/photos/upload/same-original.ts';
import type { UploadedPhotoDetails } from '../../../gallery/photos/upload/upload.ts';
import { Level, Visibility } from '../../../platform/db/states.ts';
import { errors } from '../../../platform/errors/catalogue.ts';
import { createSchemaCheck } from '../../../platform/http/validation.ts';
import { toLocalWallClock } from '../../../platform/imaging/metadata/wall-clock.ts';
import { computeChecksum } from '../../../platform/storage/checksum.ts';
import { parseExportedFields } from '../photo-fields.ts';
import { archiveTag, readPhotoFacts } from '../plan/facts.ts';
import type { PlannedPhoto } from '../plan/plan.ts';
import { getFileName, type SourceFile } from '../plan/source-file.ts';
import { choosePhotoTitle, cleanDescription } from '../plan/text.ts';
import { PhotoJson, parseExportTime } from '../schema.ts';
import type { AlbumImporter, ImportAlbumOptions } from './albums.ts';
import { finishEdits, getExportedLevel, restoreExported } from './exported.ts';
import { findSamePhoto } from './find-same.ts';
import type { InspectedFile } from './inspected-file.ts';
import { openFile } from './open-file.ts';
import { placePhoto } from './place.ts';
import { saveBytes } from './save.ts';
import type { ImportSourceFile, ImportSources } from './source.ts';
import { trashNewPhoto } from './trash.ts';

export interface ImportedFile {
  isNew: boolean;
  /** Id of the imported or existing photo, or undefined in a dry run. */
  photoId: number | undefined;
  /** Whether the source has the photo in the trash, and the user has it in the library. */
  isLeftInLibrary: boolean;
  /** First file of the import with the same bytes, if this is not the first one. */
  sameAs: SourceFile | undefined;
  /** Indexes of the albums of the plan that contain the photo now. */
  placedIn: number[];
  /** Whether this import put the photo into one of them. */
  isPlaced: boolean;
  /** Position in the album from an export, or undefined without an export. */
  position: number | undefined;
}

/** Imports one file. Throws ImageError, ApiError, EditError or an error of the file system. */
export type ImportFile = (photo: PlannedPhoto) => Promise<ImportedFile>;

export interface FileImport extends ImportAlbumOptions {
  sources: ImportSources;
  albums: AlbumImporter;
}

const checkPhotoFile = createSchemaCheck(PhotoJson);

/**
 * Returns the function that imports files. Files with the same bytes are imported one after the other, so that the
 * second file finds the photo of the first.
 */
export function createImportFile(deps: Deps, viewer: Viewer, options: FileImport): ImportFile {
  const underWay = new Map<string, Promise<unknown>>();
  /** Ids of photos that are matched to a file of the export, because each photo matches only one file. */
  const taken = new Set<number>();
  /** First files by their checksum. */
  const seen = new Map<string, SourceFile>();
  return async (planned) => {
    const source = await options.sources.open(planned.file, deps.config.maxUploadBytes);
    try {
      const inspected = await inspectFile(deps, options, planned, source);
      const { sha256 } = inspected;
      while (underWay.has(sha256)) await underWay.get(sha256)!.catch(() => {});
      const sameAs = seen.get(sha256);
      const work = saveFile(deps, viewer, { ...inspected, sameAs }, { ...options, taken });
      underWay.set(sha256, work);
      const result = await work.finally(() => underWay.delete(sha256));
      if (!sameAs) seen.set(sha256, planned.file);
      const isDryCopy = options.isDryRun && sameAs !== undefined && !inspected.exported;
      return isDryCopy ? { ...result, isNew: false } : result;
    } finally {
      await source.close();
    }
  };
}

async function inspectFile(
  deps: Deps,
  { isDryRun, read }: FileImport,
  planned: PlannedPhoto,
  source: ImportSourceFile,
): Promise<Omit<InspectedFile, 'sameAs'>> {
  const { maxMegapixels } = deps.config;
  // A dry run decodes only the metadata. An import decodes the whole picture later.
  if (isDryRun) await deps.imaging.exif(source.path, { maxMegapixels });
  else await deps.imaging.inspect(source.path, maxMegapixels);
  const told = await readPhotoFacts(planned, read);
  const exported = told.exported && checkPhotoFile(told.exported);
  const sha256 = source.unpacked?.sha256 ?? (await checksumAt(source.path));
  if (exported && exported.sha256 !== sha256) {
    throw errors.invalid({ message: 'The file is not the one that the .json beside it describes' });
  }
  const facts = {
    ...(source.modified > 0 && { fileTime: toLocalWallClock(source.modified) }),
    sidecar: told.xmp && (await deps.imaging.xmp(told.xmp)),
    takeoutTime: told.takenTime,
    takeoutLocation: told.location,
    ...(told.isArchived && { moreTags: [archiveTag] }),
  };
  return { planned, source, sha256, told, exported, facts };
}

async function checksumAt(path: string): Promise<string> {
  const handle = await openFile(path);
  return computeChecksum(handle.createReadStream({ highWaterMark: 256 * 1024 }));
}

type SaveOptions = FileImport & { taken: Set<number> };

async function saveFile(
  deps: Deps,
  viewer: Viewer,
  inspected: InspectedFile,
  options: SaveOptions,
): Promise<ImportedFile> {
  const { planned, exported, told, sha256, sameAs } = inspected;
  const isTrashed = exported ? exported.delete_time !== undefined : told.isTrashed;
  const same = await findSamePhoto(deps, viewer, { sha256, exported, isTrashed, taken: options.taken });
  const isLeftInLibrary = isTrashed && same !== undefined && same.visibility !== Visibility.trash;
  const result = {
    sameAs,
    isLeftInLibrary,
    position: exported?.position,
    placedIn: planned.albums.map(({ album }) => album),
  };
  if (options.isDryRun) return { ...result, isNew: !same, photoId: same?.id, isPlaced: false };
  if (same) return { ...result, ...(await meetPhoto(deps, viewer, same, inspected, options)) };
  const [main, ...others] = planned.albums;
  const albumId = main ? await options.albums.getId(main.album) : await options.albums.getIdAbove();
  const finish = isTrashed && !exported ? trashNewPhoto(deps, viewer) : undefined;
  const details = { ...chooseDetails(inspected, options, isTrashed), albumId, finish };
  const { id } = await saveBytes(deps, viewer, inspected.source, details);
  if (exported) {
    options.taken.add(id);
    options.albums.references.add(id, albumId, exported);
    await restoreExported(deps, viewer, id, { exported, isPrivate: options.isPrivate });
  } else {
    if (!isTrashed) await placePhoto(deps, viewer, { id, albums: others }, options.albums);
    if (told.isFavorite && !isTrashed) await changeReaction(deps, viewer, id, 'favorites', true);
  }
  const placedIn = isTrashed ? [] : result.placedIn;
  return { ...result, placedIn, isNew: true, photoId: id, isPlaced: true };
}

/** Completes a photo that the user already has. */
async function meetPhoto(
  deps: Deps,
  viewer: Viewer,
  same: SamePhoto,
  inspected: InspectedFile,
  { albums, taken }: SaveOptions,
): Promise<Pick<ImportedFile, 'isNew' | 'photoId' | 'placedIn' | 'isPlaced'>> {
  const { planned, exported, told } = inspected;
  const met = { isNew: false, photoId: same.id };
  if (exported) {
    taken.add(same.id);
    albums.references.add(same.id, same.album_id ?? undefined, exported);
    if (exported.delete_time !== undefined) return { ...met, placedIn: [], isPlaced: false };
    await finishEdits(deps, viewer, same, exported);
    const [main] = planned.albums;
    const isThere = main !== undefined && (await albums.getId(main.album)) === same.album_id;
    return { ...met, placedIn: isThere ? [main.album] : [], isPlaced: false };
  }
  if (told.isTrashed) return { ...met, placedIn: [], isPlaced: false };
  const isPlaced = await placePhoto(deps, viewer, { id: same.id, albums: planned.albums }, albums);
  await completeMetPhoto(deps, viewer, same.id, inspected);
  return { ...met, placedIn: planned.albums.map(({ album }) => album), isPlaced };
}

/** Fills a photo that an earlier import saved without its sidecars. */
async function completeMetPhoto(
  deps: Deps,
  viewer: Viewer,
  id: number,
  { planned, told, facts, source }: InspectedFile,
): Promise<void> {
  if (!planned.json && !planned.xmp && !planned.icloud) return;
  const fileName = getFileName(planned.file);
  await completePhoto(deps, id, {
    path: source.path,
    title: told.title && choosePhotoTitle(fileName, told.title),
    description: cleanDescription(told.description),
    facts,
    fileName,
  });
  if (told.isFavorite) await changeReaction(deps, viewer, id, 'favorites', true);
}

function chooseDetails(
  { planned: { file }, told, exported, facts }: InspectedFile,
  { isPrivate, isPublic }: FileImport,
  isTrashed: boolean,
): UploadedPhotoDetails & { fileName: string } {
  if (exported) {
    return {
      fileName: exported.file_name,
      title: exported.title,
      description: exported.description,
      tags: cleanTags(exported.tags),
      // A trashed photo is private, because other users must not see it before its move to the trash.
      level: isPrivate || isTrashed ? Level.private : getExportedLevel(exported),
      albumId: undefined,
      ...parseExportedFields(exported),
      createTime: parseExportTime(exported.create_time),
      isComplete: true,
    };
  }
  const isShown = isPublic && !isPrivate && !isTrashed && !told.isArchived;
  return {
    fileName: getFileName(file),
    title: choosePhotoTitle(getFileName(file), told.title),
    description: cleanDescription(facts.sidecar?.description?.[0] ? '' : told.description),
    tags: [],
    level: isShown ? Level.public : Level.private,
    albumId: undefined,
    facts,
  };
}
