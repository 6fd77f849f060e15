/** Cleans, stores and counts the tags of photos. Tags are trimmed and unique, and their comparison ignores case. */

import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import { foldSearchText } from '../../platform/db/fold.ts';
import { Visibility } from '../../platform/db/states.ts';
import type { PhotoRow, Transaction } from '../../platform/db/tables.ts';
import { fillTagSortKeys } from '../../platform/db/tag-sort-keys.ts';
import { invalidFieldsError } from '../../platform/errors/catalogue.ts';
import { cleanLine } from '../../platform/schema/line.ts';
import { everyoneUserId } from './counts.ts';
import { asLibraryWriter } from './tables.ts';

export const maxTags = 30;
export const maxTagLength = 50;

/** Splits a text of tags, as the upload form has it, at commas of any script and at line breaks. */
export function splitTags(text: string): string[] {
  return text.split(/[,，、\r\n]/);
}

/**
 * Returns the tags trimmed and without duplicates. Throws an error on the field `tags` if there are too many tags
 * or a tag is too long.
 */
export function cleanTags(given: string[]): string[] {
  const tags = trimTags(given);
  const problem = findTagProblem(tags);
  if (problem) throw invalidFieldsError({ tags: [problem] });
  return tags;
}

/** Returns the error message that `cleanTags` would throw, or undefined if the tags are valid. */
export function findTagsProblem(given: string[]): string | undefined {
  return findTagProblem(trimTags(given));
}

export function trimTags(given: string[]): string[] {
  const byKey = new Map<string, string>();
  for (const tag of given) {
    const trimmed = cleanLine(tag).replace(/\s+/g, ' ');
    if (trimmed && !byKey.has(foldSearchText(trimmed))) byKey.set(foldSearchText(trimmed), trimmed);
  }
  return [...byKey.values()];
}

function findTagProblem(tags: string[]): string | undefined {
  if (tags.length > maxTags) return `Must not have more than ${maxTags} tags`;
  const isTooLong = tags.some((tag) => [...tag].length > maxTagLength);
  return isTooLong ? `Must not have tags longer than ${maxTagLength} characters` : undefined;
}

type LockingDatabase = Pick<Deps['db'], 'lock'>;
type TaggedPhoto = Pick<PhotoRow, 'id' | 'user_id' | 'visibility' | 'create_time'>;

/** Replaces the tags of a photo. The rows of its tags repeat the photo's owner, visibility and upload time. */
export async function replaceTags(
  db: LockingDatabase,
  transaction: Transaction,
  photo: TaggedPhoto,
  tags: string[],
): Promise<void> {
  await removeTags(db, transaction, photo);
  await insertTags(db, transaction, photo, tags);
}

export async function removeTags(
  db: LockingDatabase,
  transaction: Transaction,
  { id, user_id }: Pick<PhotoRow, 'id' | 'user_id'>,
): Promise<void> {
  await addToTagTotals(db, transaction, user_id, [id], -1);
  await transaction.deleteFrom('photo_tags').where('photo_id', '=', id).execute();
}

export async function insertTags(
  db: LockingDatabase,
  transaction: Transaction,
  photo: TaggedPhoto,
  tags: string[],
): Promise<void> {
  if (tags.length === 0) return;
  const rows = tags.map((name, position) => ({
    photo_id: photo.id,
    position,
    name,
    name_key: foldSearchText(name),
    user_id: photo.user_id,
    visibility: photo.visibility,
    create_time: photo.create_time,
  }));
  await asLibraryWriter(transaction).insertInto('photo_tags').values(rows).execute();
  await addToTagTotals(db, transaction, photo.user_id, [photo.id], 1);
}

/** Changes the visibility in the tag rows of one owner's photos. */
export async function setTagVisibility(
  db: LockingDatabase,
  transaction: Transaction,
  userId: number,
  photoIds: number[],
  to: Visibility,
): Promise<void> {
  await addToTagTotals(db, transaction, userId, photoIds, -1);
  await asLibraryWriter(transaction)
    .updateTable('photo_tags')
    .set({ visibility: to })
    .where('photo_id', 'in', photoIds)
    .execute();
  await addToTagTotals(db, transaction, userId, photoIds, 1);
}

/**
 * Adds the tags of one owner's photos to `tag_totals`, or subtracts them if `sign` is -1. Subtract before deleting
 * the tag rows, add after inserting them.
 */
export async function addToTagTotals(
  db: LockingDatabase,
  transaction: Transaction,
  userId: number,
  photoIds: number[],
  sign: 1 | -1,
): Promise<void> {
  await db.lock(transaction, 'totals');
  const trash = sql.lit(Visibility.trash);
  await sql`INSERT INTO tag_totals (user_id, visibility, name_key, name, n)
    SELECT users.column1, visibility, name_key, min(name), ${sql.lit(sign)} * count(*)
    FROM photo_tags CROSS JOIN (VALUES (${sql.lit(everyoneUserId)}), (CAST(${userId} AS bigint))) AS users
    WHERE photo_id IN (${sql.join(photoIds)}) AND visibility > ${trash} GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    ON CONFLICT (user_id, visibility, name_key) DO UPDATE SET n = tag_totals.n + excluded.n`.execute(
    transaction,
  );
  if (sign === 1) {
    await fillTagSortKeys(transaction);
    return;
  }
  // Delete the total of a tag without photos, so that the next photo with the tag decides its spelling.
  await asLibraryWriter(transaction)
    .deleteFrom('tag_totals')
    .where('user_id', 'in', [everyoneUserId, userId])
    .where('visibility', 'in', [Visibility.private, Visibility.members, Visibility.public])
    .where('n', '<=', 0)
    .execute();
}
