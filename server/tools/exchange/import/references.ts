/**
 * Restores the references of exported photos. The ids of albums in an export belong to the exported gallery, so the
 * references are added when all albums exist.
 */
import type { Deps } from '../../../deps.ts';
import { storePhotoOrder } from '../../../gallery/albums/photos/order.ts';
import type { Viewer } from '../../../gallery/identity/viewer.ts';
import { maxPhotosPerStatement } from '../../../gallery/library/locks.ts';
import { addAlbumReferences } from '../../../gallery/photos/albums/add-and-remove.ts';
import type { PhotoJson } from '../schema.ts';
import { ignoreRefusal } from './refusals.ts';

interface PlacedPhoto {
  id: number;
  position: number;
}

export type ReferenceImporter = ReturnType<typeof createReferenceImporter>;

export function createReferenceImporter(deps: Deps, viewer: Viewer) {
  /** Photos by the id of their main album here. */
  const main = new Map<number, PlacedPhoto[]>();
  /** Photos by the exported id of an album that contains them by reference. */
  const references = new Map<number, PlacedPhoto[]>();

  return {
    /** Records the position and the references of an imported photo of an export. */
    add(id: number, albumId: number | undefined, exported: PhotoJson): void {
      if (albumId !== undefined) append(main, albumId, { id, position: exported.position });
      for (const { album_id, position } of exported.references ?? []) {
        append(references, album_id, { id, position });
      }
    },
    /** Adds the references. `albums` has the ids of the imported albums by the ids in the export. */
    async set(albums: Map<number, number>): Promise<void> {
      for (const [exported, photos] of references) {
        const albumId = albums.get(exported);
        if (albumId !== undefined) await fill(albumId, photos).catch(ignoreRefusal);
      }
    },
  };

  async function fill(albumId: number, photos: PlacedPhoto[]): Promise<void> {
    for (let at = 0; at < photos.length; at += maxPhotosPerStatement) {
      const some = photos.slice(at, at + maxPhotosPerStatement).map(({ id }) => id);
      await addAlbumReferences(deps, viewer, albumId, some);
    }
    const all = [...(main.get(albumId) ?? []), ...photos].sort((one, other) => one.position - other.position);
    await storePhotoOrder(
      deps,
      viewer,
      albumId,
      all.map(({ id }) => id),
    );
  }
}

function append(map: Map<number, PlacedPhoto[]>, key: number, photo: PlacedPhoto): void {
  const photos = map.get(key);
  if (photos) photos.push(photo);
  else map.set(key, [photo]);
}
