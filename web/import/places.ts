/** Puts the photos of an import into their albums after they have arrived, also those that were there before. */
import type { ImportPlan, PlannedPhoto } from '../../server/tools/exchange/plan/plan.ts';
import type { PlannedAlbums } from './albums.ts';
import type { ImportGate } from './gate.ts';
import type { ImportCalls } from './queries.ts';
import { tryCall } from './try-call.ts';

interface PlacedPhoto {
  id: number;
  position: number;
}

export function createPlacer(
  plan: ImportPlan,
  albums: PlannedAlbums,
  calls: Pick<ImportCalls, 'addToAlbum' | 'orderAlbum'>,
  base: number,
) {
  const placed = new Map<number, PlacedPhoto[]>();
  /** Albums with a new photo. The order of all others stays as their owner has left it. */
  const changed = new Set<number>();
  /** Photos without an album of their own, which go into the chosen album. */
  const loose: number[] = [];

  async function fillAlbum(index: number): Promise<void> {
    const photos = (placed.get(index) ?? []).sort((one, other) => one.position - other.position);
    const ids = [...new Set(photos.map(({ id }) => id))];
    const album = await albums.ensure(index);
    if (ids.length > 0) await calls.addToAlbum(album, ids);
    if (changed.has(index) && ids.length > 1) await calls.orderAlbum(album, ids).catch(() => {});
  }

  return {
    add(photo: PlannedPhoto, id: number, isNew: boolean): void {
      if (photo.albums.length === 0 && base !== 0) loose.push(id);
      for (const { album, position } of photo.albums) {
        const photos = placed.get(album) ?? [];
        photos.push({ id, position });
        placed.set(album, photos);
        if (isNew) changed.add(album);
      }
    },
    /** Fills the albums, except those that were deleted meanwhile. */
    async fill(gate: ImportGate): Promise<void> {
      for (const [index, { json }] of plan.albums.entries()) {
        if (!placed.has(index) && !json) continue;
        await tryCall(() => fillAlbum(index), gate);
      }
      if (loose.length > 0) await tryCall(() => calls.addToAlbum(base, loose), gate);
    },
  };
}
