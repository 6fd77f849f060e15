/** The rows of a photo's tags, which repeat what its own row says. `tag_totals` follow by triggers. */
import { fold } from '../../platform/db/fold.ts';
import type { PhotoRow, Transaction } from '../../platform/db/tables.ts';
import { writing } from './tables.ts';

type TaggedPhoto = Pick<PhotoRow, 'id' | 'user_id' | 'visibility' | 'create_time'>;

export async function replaceTags(
  transaction: Transaction,
  photo: TaggedPhoto,
  tags: string[],
): Promise<void> {
  await removeTags(transaction, photo.id);
  await insertTags(transaction, photo, tags);
}

export async function removeTags(transaction: Transaction, photoId: number): Promise<void> {
  await transaction.deleteFrom('photo_tags').where('photo_id', '=', photoId).execute();
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
