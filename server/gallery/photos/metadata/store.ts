/** Reads and writes what the file of a photo says, and which fields its owner corrected. */
import type { Insertable, Kysely, Updateable } from 'kysely';
import type { Deps } from '../../../deps.ts';
import type {
  PhotoMetadataRow,
  PhotoMetadataTable,
  PhotoRow,
  PhotosTable,
  Tables,
  Transaction,
} from '../../../platform/db/tables.ts';
import {
  type Exif,
  type FileFacts,
  metadataReaderVersion,
} from '../../../platform/imaging/metadata/fields.ts';
import { regroupPhotos } from '../../library/groups.ts';
import { createTitleKey } from '../../library/search-text.ts';
import { maxTags, trimTags } from '../../library/tags.ts';
import {
  type CorrectableField,
  type FileFields,
  type PhotoFields,
  parseFields,
  sortFields,
  toFieldColumns,
} from './fields.ts';

/** Values of a photo's file, and the names of the corrected fields. */
export interface PhotoMetadata {
  /** False while a photo of an earlier version waits for the job that reads its file. */
  isRead: boolean;
  file: FileFields;
  timeOffset: number | null;
  facts: FileFacts;
  corrected: CorrectableField[];
}

/** Returns what the file of a photo says. A photo whose file is unread has empty fields. */
export async function getPhotoMetadata(kysely: Kysely<Tables>, photoId: number): Promise<PhotoMetadata> {
  const row = await kysely
    .selectFrom('photo_metadata')
    .selectAll()
    .where('photo_id', '=', photoId)
    .executeTakeFirst();
  return parseMetadataRow(row);
}

export function parseMetadataRow(row: Omit<PhotoMetadataRow, 'photo_id'> | undefined): PhotoMetadata {
  return {
    isRead: (row?.reader ?? 0) > 0,
    file: row ? parseFields(row) : unreadFile,
    timeOffset: row?.time_offset ?? null,
    facts: row ? (JSON.parse(row.facts) as FileFacts) : {},
    corrected: row ? (JSON.parse(row.corrected) as CorrectableField[]) : [],
  };
}

const unreadFile: FileFields = {
  taken_time: null,
  location: null,
  rating: 0,
  title: '',
  description: '',
  tags: [],
};

/** Values that a picture worker has read from a file, with facts from outside the file. */
export interface ReadMetadata {
  exif: Exif;
  facts: FileFacts;
}

/** Inserts the row of a new photo. */
export async function insertPhotoMetadata(
  transaction: Transaction,
  photoId: number,
  read: ReadMetadata,
  corrected: CorrectableField[],
): Promise<void> {
  await transaction
    .insertInto('photo_metadata')
    .values({ photo_id: photoId, corrected: formatFields(corrected), ...describeReading(read) })
    .execute();
}

/** Replaces what the file of a photo says. Corrections stay. */
export async function updatePhotoMetadata(
  transaction: Transaction,
  photoId: number,
  read: ReadMetadata,
): Promise<void> {
  await transaction
    .updateTable('photo_metadata')
    .set(describeReading(read))
    .where('photo_id', '=', photoId)
    .execute();
}

/** Replaces the facts from outside the file, for a photo whose file the job has yet to read. */
export async function storeFacts(transaction: Transaction, photoId: number, facts: FileFacts): Promise<void> {
  const row = { facts: formatFacts(facts) };
  await transaction
    .insertInto('photo_metadata')
    .values({ photo_id: photoId, ...row })
    .onConflict((conflict) => conflict.column('photo_id').doUpdateSet(row))
    .execute();
}

/**
 * Writes the fields of a locked photo, and counts the photo in its new month, camera and lens. `others` are columns
 * that change with the fields. The caller updates the rows of tags and the search index.
 */
export async function writePhotoFields(
  { db }: Pick<Deps, 'db'>,
  transaction: Transaction,
  photo: PhotoRow,
  fields: PhotoFields,
  others: Updateable<PhotosTable>,
): Promise<void> {
  const changed = { ...toFieldColumns(fields), title_key: createTitleKey(fields.title), ...others };
  const write = () => transaction.updateTable('photos').set(changed).where('id', '=', photo.id).execute();
  const groupColumns = ['taken_time', 'camera', 'lens'] as const;
  const isRegrouped = groupColumns.some((name) => (changed[name] ?? photo[name]) !== photo[name]);
  await (isRegrouped ? regroupPhotos(db, transaction, [photo.id], write) : write());
}

export async function setCorrectedFields(
  transaction: Transaction,
  photoId: number,
  corrected: CorrectableField[],
): Promise<void> {
  const fields = formatFields(corrected);
  await transaction
    .insertInto('photo_metadata')
    .values({ photo_id: photoId, corrected: fields })
    .onConflict((conflict) => conflict.column('photo_id').doUpdateSet({ corrected: fields }))
    .execute();
}

/** Marks a photo whose file cannot be read, so that only a later reader tries again. */
export async function markUnreadable(transaction: Transaction, photoId: number): Promise<void> {
  await transaction
    .updateTable('photo_metadata')
    .set({ reader: metadataReaderVersion })
    .where('photo_id', '=', photoId)
    .execute();
}

function describeReading({ exif, facts }: ReadMetadata): Omit<Insertable<PhotoMetadataTable>, 'photo_id'> {
  return {
    reader: metadataReaderVersion,
    taken_time: exif.takenTime,
    time_offset: exif.timeOffset,
    latitude: exif.location?.latitude ?? null,
    longitude: exif.location?.longitude ?? null,
    rating: exif.rating,
    title: exif.title,
    description: exif.description,
    tags: JSON.stringify(trimTags(exif.tags).slice(0, maxTags)),
    facts: formatFacts(facts),
  };
}

/** Returns the facts without those that the row of the photo has. */
function formatFacts({ name: _, now: __, ...stored }: FileFacts): string {
  return JSON.stringify(stored);
}

function formatFields(fields: CorrectableField[]): string {
  return JSON.stringify(sortFields(fields));
}
