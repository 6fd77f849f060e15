/**
 * The only place that changes the visibility of photos, inserts photos and deletes their rows. Each change also
 * updates counters, tags, groups and the search index.
 */
import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import { idsOf } from '../../platform/db/rows.ts';
import { type Level, type UserStatus, Visibility } from '../../platform/db/states.ts';
import type { AlbumRow, PhotoRow, Transaction } from '../../platform/db/tables.ts';
import { copyVisibilityToAlbums, insertIntoAlbum } from './album-photos.ts';
import { insertPhotoCounters, lockViewCounters, setVisibilityOfCounters } from './counters.ts';
import { updatePhotoTotals } from './counts.ts';
import { addToPhotoGroups, regroupPhotos } from './groups.ts';
import { indexPhotos } from './search-index.ts';
import { buildSearchTexts } from './search-text.ts';
import { asLibraryWriter, type WritablePhotoRow } from './tables.ts';
import { addToTagTotals, insertTags, setTagVisibility } from './tags.ts';
import { decideVisibility } from './visibility-rule.ts';

type PhotoState = Pick<PhotoRow, 'id' | 'user_id' | 'album_id' | 'visibility'>;

/**
 * Sets the visibility of photos of one owner, at most a chunk, which the caller has locked with their library. A
 * photo that moves to the trash gets a deletion time; a restored photo loses it. Returns the number of changed
 * photos.
 */
export async function setPhotoVisibility(
  deps: Pick<Deps, 'db' | 'clock'>,
  transaction: Transaction,
  photos: PhotoState[],
  to: Visibility,
): Promise<number> {
  const moved = photos.filter(({ visibility }) => visibility !== to);
  const [first] = moved;
  if (!first) return 0;
  await writePhotoVisibility(deps, transaction, moved, to, deps.clock());
  await updatePhotoTotals(
    transaction,
    first.user_id,
    moved.map((photo) => ({ from: photo, to: { ...photo, visibility: to } })),
  );
  return moved.length;
}

/**
 * Writes the visibility of locked photos of one owner into their rows, albums, counters, groups, tags and the search
 * index.
 * The caller updates the counts of albums and owners. `now` is the deletion time of photos that move to the trash.
 */
export async function writePhotoVisibility(
  { db }: Pick<Deps, 'db'>,
  transaction: Transaction,
  photos: PhotoState[],
  to: Visibility,
  now = 0,
): Promise<void> {
  const [first] = photos;
  if (!first) return;
  const ids = idsOf(photos);
  const change = asLibraryWriter(transaction)
    .updateTable('photos')
    .set({
      visibility: to,
      delete_time: to === Visibility.trash ? sql<number>`coalesce(delete_time, ${now})` : null,
    })
    .where('id', 'in', ids);
  await regroupPhotos(db, transaction, ids, () => change.execute());
  await copyVisibilityToAlbums(transaction, ids, to);
  await setVisibilityOfCounters(transaction, ids, to);
  await setTagVisibility(db, transaction, first.user_id, ids, to);
  if (to !== Visibility.trash) return indexPhotos({ db }, transaction, first.user_id, ids);
  for (const photo of photos) await db.search.remove(transaction, photo);
}

/** Writes the level of a photo in the trash, which counts after the photo is restored. */
export async function setTrashedLevel(transaction: Transaction, id: number, level: Level): Promise<void> {
  await asLibraryWriter(transaction).updateTable('photos').set({ level }).where('id', '=', id).execute();
}

/** Row of a new photo without the columns that the library computes. */
export type PhotoToAdd = Omit<WritablePhotoRow, 'visibility' | 'album_id' | 'level'> & {
  level: Level;
  /** Tags of the photo, in the same order as the column `tags`. */
  tagList: string[];
};

/**
 * Inserts a photo with its counters, tags, groups and search text, and returns its id and visibility. If the photo
 * has an album, the caller has locked the owner's library. `owner_status` comes from the statement that reserved
 * the quota.
 */
export async function addPhoto(
  { db }: Pick<Deps, 'db'>,
  transaction: Transaction,
  { tagList, ...row }: PhotoToAdd,
  { album, owner_status }: { album: AlbumRow | undefined; owner_status: UserStatus },
): Promise<{ id: number; visibility: Visibility }> {
  const { user_id, create_time } = row;
  const visibility = decideVisibility({ level: row.level, owner_status }, album);
  const album_id = album?.id ?? null;
  const { id } = await asLibraryWriter(transaction)
    .insertInto('photos')
    .values({ ...row, visibility, album_id })
    .returning('id')
    .executeTakeFirstOrThrow();
  if (album) await insertIntoAlbum(transaction, album, [id], { addedBy: user_id, now: create_time });
  await insertPhotoCounters(transaction, { id, user_id, visibility });
  await addToPhotoGroups(db, transaction, sql`${id}`, 1);
  await insertTags(db, transaction, { id, user_id, visibility, create_time }, tagList);
  await updatePhotoTotals(transaction, user_id, [{ from: undefined, to: { visibility, album_id } }]);
  const texts = buildSearchTexts({ ...row, tags: tagList });
  await db.search.put(transaction, { photoId: id, userId: user_id, visibility, ...texts });
  return { id, visibility };
}

/**
 * Deletes the rows of photos of one owner, with all rows that depend on them (ON DELETE CASCADE). The caller has
 * locked the photos and their library.
 */
export async function deletePhotoRows(
  { db }: Pick<Deps, 'db'>,
  transaction: Transaction,
  photos: PhotoState[],
): Promise<void> {
  const [first] = photos;
  if (!first) return;
  const ids = idsOf(photos);
  for (const photo of photos) await db.search.remove(transaction, photo);
  await addToPhotoGroups(db, transaction, sql.join(ids), -1);
  await addToTagTotals(db, transaction, first.user_id, ids, -1);
  await updatePhotoTotals(
    transaction,
    first.user_id,
    photos.map((photo) => ({ from: photo, to: undefined })),
  );
  await lockViewCounters(transaction, ids);
  await transaction.deleteFrom('photos').where('id', 'in', ids).execute();
}
