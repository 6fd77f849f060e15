/** Tags: trimmed, without duplicates, in the order given, compared without regard to case. */

import { fold } from '../../platform/db/fold.ts';
import type { PhotoRow, Transaction } from '../../platform/db/tables.ts';
import { invalidFields } from '../../platform/errors/catalogue.ts';
import { writing } from './tables.ts';

export const maxTags = 30;
export const maxTagLength = 50;

/** The form's `tags`: one text, separated by commas. */
export function splitTags(text: string): string[] {
  return text.split(',');
}

/** Throws invalid naming `tags` when there are too many, or one is too long. */
export function cleanTags(given: string[]): string[] {
  const tags = trimTags(given);
  const problem = problemOf(tags);
  if (problem) throw invalidFields({ tags: [problem] });
  return tags;
}

/** What `cleanTags` would complain of; undefined when nothing is wrong. */
export function tagsProblem(given: string[]): string | undefined {
  return problemOf(trimTags(given));
}

export function trimTags(given: string[]): string[] {
  const byKey = new Map<string, string>();
  for (const tag of given) {
    const trimmed = tag.replace(/\s+/g, ' ').trim();
    if (trimmed && !byKey.has(fold(trimmed))) byKey.set(fold(trimmed), trimmed);
  }
  return [...byKey.values()];
}

function problemOf(tags: string[]): string | undefined {
  if (tags.length > maxTags) return `must not have more than ${maxTags} tags`;
  const isTooLong = tags.some((tag) => [...tag].length > maxTagLength);
  return isTooLong ? `must not have tags longer than ${maxTagLength} characters` : undefined;
}

type TaggedPhoto = Pick<PhotoRow, 'id' | 'user_id' | 'visibility' | 'create_time'>;

/** The rows of a photo's tags repeat what its own row says. `tag_totals` follow by triggers. */
export async function replaceTags(
  transaction: Transaction,
  photo: TaggedPhoto,
  tags: string[],
): Promise<void> {
  await removeTags(transaction, [photo.id]);
  await insertTags(transaction, photo, tags);
}

export async function removeTags(transaction: Transaction, photoIds: number[]): Promise<void> {
  await transaction.deleteFrom('photo_tags').where('photo_id', 'in', photoIds).execute();
}

export async function insertTags(
  transaction: Transaction,
  photo: TaggedPhoto,
  tags: string[],
): Promise<void> {
  if (tags.length === 0) return;
  const rows = tags.map((name, position) => ({
    photo_id: photo.id,
    position,
    name,
    name_key: fold(name),
    user_id: photo.user_id,
    visibility: photo.visibility,
    create_time: photo.create_time,
  }));
  await writing(transaction).insertInto('photo_tags').values(rows).execute();
}
