/**
 * Completes photos of an earlier import by JSON files of Takeout whose photos are in another archive, which the earlier
 * import has read.
 */
import type { Deps } from '../../../deps.ts';
import type { Viewer } from '../../../gallery/identity/viewer.ts';
import { changeReaction } from '../../../gallery/photos/likes.ts';
import { completePhoto } from '../../../gallery/photos/sidecar/complete.ts';
import { unlimitedReadOptions } from '../../../platform/db/dialect.ts';
import { Visibility } from '../../../platform/db/states.ts';
import { objectName } from '../../../platform/storage/keys.ts';
import { readPhotoFacts } from '../plan/facts.ts';
import { insertNumber, splitJsonName } from '../plan/match-json.ts';
import type { PlannedFile, PlannedPhoto } from '../plan/plan.ts';
import { foldName, type ReadSmallFile, splitExtension } from '../plan/source-file.ts';
import { parseJsonObject, readTakeoutFacts } from '../plan/takeout-json.ts';
import { choosePhotoTitle, cleanDescription } from '../plan/text.ts';

/** Ids of photos by the names of their files. A name of several photos has undefined. */
type PhotosByName = Map<string, number | undefined>;

/** Returns a function that completes the photo of a JSON file, and says so in the plan's entry of the file. */
export function createEarlierImport(deps: Deps, viewer: Viewer, read: ReadSmallFile) {
  let names: Promise<PhotosByName> | undefined;
  return async (planned: PlannedFile): Promise<void> => {
    const value = parseJsonObject(await read(planned.file));
    const told = value && readTakeoutFacts(value);
    if (told?.takenTime === undefined) return;
    names ??= listPhotoNames(deps, viewer.id);
    const id = findByTitle(told.title, splitJsonName(planned.file).number, await names);
    if (id === undefined || !(await completeById(deps, viewer, { id, planned, read, time: told.takenTime })))
      return;
    planned.outcome = 'sidecar';
    planned.reason = 'Completes a photo of an earlier import';
  };
}

async function listPhotoNames({ db }: Deps, userId: number): Promise<PhotosByName> {
  const rows = await db
    .slow(unlimitedReadOptions)
    .selectFrom('photos')
    .select(['id', 'file_name'])
    .where('user_id', '=', userId)
    .where('visibility', '>', Visibility.trash)
    .execute();
  const names: PhotosByName = new Map();
  for (const { id, file_name } of rows) {
    const name = foldName(file_name);
    names.set(name, names.has(name) ? undefined : id);
  }
  return names;
}

/** Takeout cuts the names of photos at 47 characters, without the extension. */
const maxStem = 47;

function findByTitle(title: string, number: string, names: PhotosByName): number | undefined {
  const { stem, extension } = splitExtension(foldName(title).replace(/[&:/?*"<>|'%\\]/g, '_'));
  const written = [foldName(title), `${stem}${extension}`, `${stem.slice(0, maxStem)}${extension}`];
  const name = written.map((each) => insertNumber(each, number)).find((each) => names.has(each));
  return name === undefined ? undefined : names.get(name);
}

interface PhotoToComplete {
  id: number;
  planned: PlannedFile;
  read: ReadSmallFile;
  /** Capture time of Takeout in Unix seconds. */
  time: number;
}

/** Two cameras can give one name, so the file's own date must be near that of Takeout: a day and a half at most. */
const maxDistance = 36 * 3600;

async function completeById(
  deps: Deps,
  viewer: Viewer,
  { id, planned, read, time }: PhotoToComplete,
): Promise<boolean> {
  const photo = await deps.db.kysely
    .selectFrom('photos')
    .innerJoin('images', 'images.key', 'photos.original_key')
    .select(['photos.file_name', 'photos.original_key', 'images.extension'])
    .where('photos.id', '=', id)
    .executeTakeFirst();
  const original =
    photo && (await deps.storage.openLocalFile(objectName(photo.original_key, 'original', photo.extension)));
  if (!photo || !original) return false;
  try {
    const own = await deps.imaging.exif(original.path, { facts: { name: photo.file_name } });
    if (own.takenTime !== null && Math.abs(own.takenTime - time) > maxDistance) return false;
    const pretended: PlannedPhoto = {
      file: { ...planned.file, path: photo.file_name },
      albums: [],
      json: planned.file,
      isJsonOfOriginal: false,
      xmp: undefined,
      icloud: undefined,
      isTrashed: false,
    };
    const told = await readPhotoFacts(pretended, read);
    await completePhoto(deps, id, {
      path: original.path,
      title: told.title && choosePhotoTitle(photo.file_name, told.title),
      description: cleanDescription(told.description),
      facts: { takeoutTime: told.takenTime, takeoutLocation: told.location },
    });
    if (told.isFavorite) await changeReaction(deps, viewer, id, 'favorites', true);
    return true;
  } finally {
    await original.release();
  }
}
