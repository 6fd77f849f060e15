/** Photo rows that tests write directly, with counters in separate tables. */
import { type Kysely, sql } from 'kysely';
import { idsOf } from '../../server/platform/db/rows.ts';
import type { PhotoCounters, PhotoRow, Tables } from '../../server/platform/db/tables.ts';

const counterColumns = {
  photo_views: ['views', 'downloads'],
  photo_counts: ['likes', 'favorites', 'comments', 'comment_threads'],
} as const;

/** Adds counter rows for photos that were inserted without counters. */
export async function addMissingCounters(kysely: Kysely<Tables>): Promise<void> {
  for (const [table, columns] of [
    ['photo_views', sql`id, visibility`],
    ['photo_counts', sql`id, visibility, user_id`],
  ] as const) {
    const names = table === 'photo_views' ? sql`photo_id, visibility` : sql`photo_id, visibility, user_id`;
    await sql`INSERT INTO ${sql.table(table)} (${names}) SELECT ${columns} FROM photos
      WHERE id NOT IN (SELECT photo_id FROM ${sql.table(table)})`.execute(kysely);
  }
}

/** Adds the rows of albums for photos that were inserted without them, in the order of their ids. */
export async function addMissingAlbumRows(kysely: Kysely<Tables>): Promise<void> {
  await sql`INSERT INTO album_photos (album_id, photo_id, position, visibility, create_time, added_by, added_time)
    SELECT album_id, id, id + 1000000, visibility, create_time, user_id, create_time FROM photos
    WHERE album_id IS NOT NULL AND id NOT IN (SELECT photo_id FROM album_photos)`.execute(kysely);
}

/** Sets columns of a photo, including its counters. */
export async function setPhoto(
  kysely: Kysely<Tables>,
  id: number,
  values: Partial<PhotoRow & PhotoCounters>,
): Promise<void> {
  const own: Record<string, unknown> = { ...values };
  for (const [table, columns] of Object.entries(counterColumns)) {
    const counts = Object.entries(own).filter(([name]) => (columns as readonly string[]).includes(name));
    for (const [name, value] of counts) {
      await sql`UPDATE ${sql.table(table)} SET ${sql.ref(name)} = ${value} WHERE photo_id = ${id}`.execute(
        kysely,
      );
      delete own[name];
    }
  }
  if (own.create_time !== undefined) {
    await sql`UPDATE album_photos SET create_time = ${own.create_time} WHERE photo_id = ${id}`.execute(
      kysely,
    );
  }
  if (Object.keys(own).length === 0) return;
  await kysely
    .updateTable('photos')
    .set(own as object)
    .where('id', '=', id)
    .execute();
}

/** Returns every photo with its counters. Fails for a photo without counters. */
export async function readPhotos(kysely: Kysely<Tables>): Promise<(PhotoRow & PhotoCounters)[]> {
  const photos = await kysely.selectFrom('photos').selectAll().orderBy('id').execute();
  const views = await kysely.selectFrom('photo_views').selectAll().orderBy('photo_id').execute();
  const counts = await kysely.selectFrom('photo_counts').selectAll().orderBy('photo_id').execute();
  return photos.map((photo, at) => {
    const copies = [views[at], counts[at]].map((row) => [row?.photo_id, row?.visibility]);
    const isWhole = copies.every(([id, visibility]) => id === photo.id && visibility === photo.visibility);
    if (!isWhole || counts[at]!.user_id !== photo.user_id)
      throw new Error(`photo ${photo.id} of ${idsOf(photos)} and its counters: ${JSON.stringify(copies)}`);
    return { ...views[at]!, ...counts[at]!, ...photo };
  });
}
