/** SQL of the albums. */
import type { Selectable, Transaction } from 'kysely';
import type { Viewer } from '../auth/viewer.ts';
import type { AlbumsTable, Tables } from '../db/tables.ts';
import { errors } from '../http/errors.ts';

/** The album that the viewer wants to put a photo into. Throws 30001 or 30002. */
export async function getOwnAlbum(
  transaction: Transaction<Tables>,
  viewer: Viewer,
  id: number,
): Promise<Selectable<AlbumsTable>> {
  const album = await transaction.selectFrom('albums').selectAll().where('id', '=', id).executeTakeFirst();
  if (!album) throw errors.albumNotFound();
  if (album.user_id !== viewer.id && !viewer.isAdmin) throw errors.albumForbidden();
  return album;
}
