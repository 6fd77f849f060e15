/** Puts the imported photos of each album into the order of the source. */
import type { Deps } from '../../../deps.ts';
import { storePhotoOrder } from '../../../gallery/albums/photos/order.ts';
import type { Viewer } from '../../../gallery/identity/viewer.ts';
import type { ImportPlan, PlannedPhoto } from '../plan/plan.ts';
import type { AlbumImporter } from './albums.ts';
import type { ImportedFile } from './file.ts';
import { ignoreRefusal } from './refusals.ts';

interface AlbumOrder {
  left: number;
  isChanged: boolean;
  placed: { id: number; at: number }[];
}

/**
 * Returns a function to call after each photo of the plan. After the last photo of an album, the function sorts the new
 * photos among the existing ones.
 */
export function createAlbumOrder(deps: Deps, viewer: Viewer, plan: ImportPlan, albums: AlbumImporter) {
  const orders = new Map<number, AlbumOrder>();
  return async (photo: PlannedPhoto, result: ImportedFile | undefined): Promise<void> => {
    for (const { album, position } of photo.albums) {
      const order = orders.get(album) ?? { left: plan.albums[album]!.photos, isChanged: false, placed: [] };
      orders.set(album, order);
      if (result?.placedIn.includes(album)) {
        order.placed.push({ id: result.photoId!, at: result.position ?? position });
        order.isChanged ||= result.isPlaced;
      }
      order.left--;
      if (order.left > 0) continue;
      orders.delete(album);
      if (order.isChanged) await storeOrder(await albums.getId(album), order);
    }
  };

  async function storeOrder(albumId: number, { placed }: AlbumOrder): Promise<void> {
    const sorted = placed.sort((one, other) => one.at - other.at).map(({ id }) => id);
    await storePhotoOrder(deps, viewer, albumId, [...new Set(sorted)]).catch(ignoreRefusal);
  }
}
