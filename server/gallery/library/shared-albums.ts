/** Finds photos that nobody but their owner may put into an album, because links to the album would show them. */
import { idsOf } from '../../platform/db/rows.ts';
import type { Transaction } from '../../platform/db/tables.ts';
import type { Viewer } from '../identity/viewer.ts';
import { findPhotosInAlbum } from './album-photos.ts';
import { isOwner, isPublic } from './permissions.ts';
import { findParentAlbums } from './tree.ts';
import { currentVisibilityColumn } from './visibility-sql.ts';

/**
 * Returns the ids of the photos that the viewer must not put into the album. An unexpired link to the album, or to an
 * album above it, would show these photos to strangers. Only the owner shares what is not public. Photos that the album
 * contains can stay.
 */
export async function findUnshareablePhotos(
  transaction: Transaction,
  viewer: Viewer,
  album: { id: number; user_id: number },
  { ids, now }: { ids: number[]; now: number },
): Promise<Set<number>> {
  if (isOwner(viewer, album) || ids.length === 0) return new Set();
  const link = await transaction
    .selectFrom('shares')
    .select('id')
    .where('album_id', 'in', await listAlbumAndAbove(transaction, album.id))
    .where((is) => is.or([is('expire_time', 'is', null), is('expire_time', '>', now)]))
    .limit(1)
    .executeTakeFirst();
  if (!link) return new Set();
  const contained = await findPhotosInAlbum(transaction, album.id, ids);
  const photos = await transaction
    .selectFrom('photos')
    .select(['id', currentVisibilityColumn])
    .where('id', 'in', ids)
    .execute();
  return new Set(photos.filter((photo) => !isPublic(photo) && !contained.has(photo.id)).map(({ id }) => id));
}

/** Returns the ids of an album and of the albums above it, whose links can show its photos. */
async function listAlbumAndAbove(transaction: Transaction, id: number): Promise<number[]> {
  return idsOf(await findParentAlbums(transaction, id));
}
