/**
 * Reads the file of one stored photo again, after an upgrade to a reader that finds more. Corrections of the owner stay,
 * and nobody sees texts that their owner has not chosen to show.
 */
import type { Deps } from '../../../deps.ts';
import { Level } from '../../../platform/db/states.ts';
import type { PhotoRow, Transaction } from '../../../platform/db/tables.ts';
import { getErrorCode, StorageFull } from '../../../platform/errors/storage.ts';
import { AbandonedJobError, QueueFullError } from '../../../platform/imaging/errors.ts';
import { type Exif, metadataReaderVersion } from '../../../platform/imaging/metadata/fields.ts';
import { objectName } from '../../../platform/storage/keys.ts';
import { lockPhoto } from '../../library/locks.ts';
import { indexLockedPhotos } from '../../library/search-index.ts';
import { replaceTags } from '../../library/tags.ts';
import { type PhotoFields, parseFields } from '../metadata/fields.ts';
import { type SettledDate, settleDate } from '../metadata/settle.ts';
import {
  getPhotoMetadata,
  markUnreadable,
  type PhotoMetadata,
  type ReadMetadata,
  updatePhotoMetadata,
  writePhotoFields,
} from '../metadata/store.ts';
import { rememberEquipment } from '../query/equipment.ts';
import { fillPhotoTexts } from '../upload/fill-texts.ts';

/** A photo whose file an earlier reader has read. */
export interface PhotoToRead {
  photo_id: number;
  original_key: string;
  extension: string;
  file_name: string;
  facts: string;
}

export type RereadOutcome = 'read' | 'passed over';

/**
 * Reads a photo again. A photo whose original is missing or damaged is passed over. Throws an error that may pass, such
 * as a storage that is away, QueueFullError, or AbandonedJobError if `stop` was aborted.
 */
export async function rereadPhoto(
  deps: Deps,
  photo: PhotoToRead,
  stop?: AbortSignal,
): Promise<RereadOutcome> {
  const read = await readOriginal(deps, photo, stop);
  await deps.db.kysely.transaction().execute(async (transaction) => {
    const locked = await lockPhoto(transaction, photo.photo_id);
    if (!locked || (await isReadMeanwhile(transaction, photo))) return;
    if (!read) return markUnreadable(transaction, photo.photo_id);
    await applyReading(deps, transaction, locked, read);
  });
  return read ? 'read' : 'passed over';
}

/** Returns whether an import has read the file of a locked photo meanwhile, or has found other facts about the file. */
async function isReadMeanwhile(transaction: Transaction, photo: PhotoToRead): Promise<boolean> {
  const row = await transaction
    .selectFrom('photo_metadata')
    .select(['reader', 'facts'])
    .where('photo_id', '=', photo.photo_id)
    .executeTakeFirst();
  return row === undefined || row.reader >= metadataReaderVersion || row.facts !== photo.facts;
}

async function readOriginal(
  { storage, imaging, clock, log }: Deps,
  { photo_id, original_key, extension, file_name, facts: stored }: PhotoToRead,
  signal: AbortSignal | undefined,
): Promise<ReadMetadata | undefined> {
  let file: Awaited<ReturnType<typeof storage.openLocalFile>>;
  try {
    file = await storage.openLocalFile(objectName(original_key, 'original', extension));
    if (!file) throw new Error('the original is missing');
    const facts = { ...(JSON.parse(stored) as ReadMetadata['facts']), name: file_name, now: clock() };
    return { facts, exif: await imaging.exif(file.path, { facts, isBehind: true, signal }) };
  } catch (error) {
    if (mayPass(error)) throw error;
    // A storage that is away throws an error here, and loses no photo.
    await storage.ping();
    log.warn({ err: error, photo: photo_id }, 'the original of a photo could not be read again');
    return undefined;
  } finally {
    await file?.release();
  }
}

function mayPass(error: unknown): boolean {
  return (
    error instanceof QueueFullError ||
    error instanceof AbandonedJobError ||
    error instanceof StorageFull ||
    /^(ENOSPC|EDQUOT|EMFILE|ENFILE|ENOMEM)$/.test(getErrorCode(error) ?? '')
  );
}

async function applyReading(
  deps: Deps,
  transaction: Transaction,
  photo: PhotoRow,
  found: ReadMetadata,
): Promise<void> {
  const metadata = await getPhotoMetadata(transaction, photo.id);
  const current = parseFields(photo);
  const { taken_time, read } = chooseDate(photo, metadata, found);
  const texts = (await isSeenByOthers(deps, transaction, photo))
    ? current
    : fillTexts(photo, metadata, read.exif);
  const fields = { ...current, ...texts, taken_time, ...chooseFileFields(current, metadata, read.exif) };
  const { camera, aperture, shutter, iso, lens, focalLength: focal_length } = read.exif;
  const { placeNames: place_names } = read.exif;
  const equipment = { camera, aperture, shutter, iso, lens, focal_length, place_names };
  const isFilled = JSON.stringify(texts) !== JSON.stringify(current);
  await writePhotoFields(deps, transaction, photo, fields, {
    ...equipment,
    ...(isFilled && { update_time: deps.clock() }),
  });
  await updatePhotoMetadata(transaction, photo.id, read);
  await rememberEquipment(transaction, [camera, lens]);
  if (isFilled) await replaceTags(deps.db, transaction, photo, fields.tags);
  if (isFilled || place_names !== photo.place_names) await indexLockedPhotos(deps, transaction, photo.id);
}

/**
 * Returns whether others can see the texts of a photo. A link to any album of the owner counts, because the photo may be
 * in that album.
 */
export async function isSeenByOthers(
  { clock }: Deps,
  transaction: Transaction,
  photo: PhotoRow,
): Promise<boolean> {
  if (photo.level !== Level.private) return true;
  const link = await transaction
    .selectFrom('shares')
    .select('id')
    .where('user_id', '=', photo.user_id)
    .where((is) => is.or([is('photo_id', '=', photo.id), is('album_id', 'is not', null)]))
    .where((is) => is.or([is('expire_time', 'is', null), is('expire_time', '>', clock())]))
    .limit(1)
    .executeTakeFirst();
  return link !== undefined;
}

/** Returns the date of a photo. Only dates of earlier versions may differ from what a reader has read before. */
function chooseDate(photo: PhotoRow, { corrected, isRead }: PhotoMetadata, read: ReadMetadata): SettledDate {
  if (corrected.includes('taken_time')) return { taken_time: photo.taken_time, read };
  if (isRead) return { taken_time: read.exif.takenTime ?? photo.create_time, read };
  return settleDate(read, photo);
}

/** Returns place and rating of the file, unless the owner corrected them. */
function chooseFileFields(current: PhotoFields, { corrected }: PhotoMetadata, exif: Exif) {
  return {
    location: corrected.includes('location') ? current.location : exif.location,
    rating: corrected.includes('rating') ? current.rating : exif.rating,
  };
}

/** Fills the texts of a private photo that are empty, unless the owner emptied them. */
function fillTexts(photo: PhotoRow, { corrected }: PhotoMetadata, exif: Exif): PhotoFields {
  const current = parseFields(photo);
  const filled = fillPhotoTexts(current, photo.file_name, exif);
  for (const field of ['title', 'description', 'tags'] as const) {
    if (corrected.includes(field)) Object.assign(filled, { [field]: current[field] });
  }
  return filled;
}

/** Returns the next photos that an earlier reader has read, in the order of versions and ids. */
export function findPhotosToRead({ db }: Pick<Deps, 'db'>, limit: number): Promise<PhotoToRead[]> {
  return db
    .slow()
    .selectFrom('photo_metadata')
    .innerJoin('photos', 'photos.id', 'photo_metadata.photo_id')
    .innerJoin('images', 'images.key', 'photos.original_key')
    .select(['photo_metadata.photo_id', 'photos.original_key', 'images.extension'])
    .select(['photos.file_name', 'photo_metadata.facts'])
    .where('photo_metadata.reader', '<', metadataReaderVersion)
    .orderBy('photo_metadata.reader')
    .orderBy('photo_metadata.photo_id')
    .limit(limit)
    .execute();
}

/** Counts the photos that wait for the reader. */
export async function countPhotosToRead({ db }: Pick<Deps, 'db'>): Promise<number> {
  const { n } = await db
    .slow()
    .selectFrom('photo_metadata')
    .select((is) => is.fn.countAll<number>().as('n'))
    .where('reader', '<', metadataReaderVersion)
    .executeTakeFirstOrThrow();
  return Number(n);
}
