/** Puts imported photos into the albums of the source. */
import type { Deps } from '../../../deps.ts';
import type { Viewer } from '../../../gallery/identity/viewer.ts';
import { addAlbumReferences, addPhotosToAlbum } from '../../../gallery/photos/albums/add-and-remove.ts';
import { Level } from '../../../platform/db/states.ts';
import type { AlbumPlace } from '../plan/plan.ts';
import type { AlbumImporter } from './albums.ts';

export interface PhotoPlacing {
  id: number;
  albums: AlbumPlace[];
}

/**
 * Puts a photo into albums of the plan that do not contain it, and returns whether one of them was missing the photo. A
 * private photo without a main album gets one. Other photos are put there by reference, which hides them from nobody.
 */
export async function placePhoto(
  deps: Deps,
  viewer: Viewer,
  { id, albums }: PhotoPlacing,
  importer: AlbumImporter,
): Promise<boolean> {
  if (albums.length === 0) return false;
  const photo = await deps.db.kysely
    .selectFrom('photos')
    .select(['level'])
    .where('id', '=', id)
    .executeTakeFirst();
  const present = await listAlbums(deps, id);
  let isPlaced = false;
  for (const { album } of albums) {
    const albumId = await importer.getId(album);
    if (present.has(albumId)) continue;
    if (photo?.level === Level.private) await addPhotosToAlbum(deps, viewer, albumId, { ids: [id] });
    else await addAlbumReferences(deps, viewer, albumId, [id]);
    present.add(albumId);
    isPlaced = true;
  }
  return isPlaced;
}

async function listAlbums({ db }: Deps, photoId: number): Promise<Set<number>> {
  const rows = await db.kysely
    .selectFrom('album_photos')
    .select('album_id')
    .where('photo_id', '=', photoId)
    .execute();
  return new Set(rows.map(({ album_id }) => album_id));
}
