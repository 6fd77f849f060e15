/**
 * Reads a shared album, or an album inside it, with the photos directly in it. Visitors see the photos that the creator of the link can see.
 * Links of smart albums show only public photos.
 */

import type { Deps } from '../../deps.ts';
import { createPagination, type PaginationRequest, toRowWindow } from '../../platform/http/pagination.ts';
import { type AlbumCover, findCovers } from '../albums/covers.ts';
import { findSmartAlbumFigures, type SmartAlbumFigures } from '../albums/figures.ts';
import { countPhotosInAlbums } from '../albums/photo-counts.ts';
import { type AlbumItemRow, presentAlbum } from '../albums/present.ts';
import type { Album } from '../albums/schema.ts';
import { getFullPictureName, thumbPath } from '../delivery/paths.ts';
import { buildImagePath } from '../delivery/signatures.ts';
import { isSmartAlbum } from '../library/albums.ts';
import { findCoverPicture } from '../photos/card.ts';
import { createAlbumFilter } from '../photos/list/filter.ts';
import { createReadPhotoPage } from '../photos/list/list.ts';
import { presentPhotoItem } from '../photos/present.ts';
import { findChildAlbums, type OpenedAlbum } from './inner-albums.ts';
import { chooseDecidingViewer } from './open.ts';
import { createSharePathSigner } from './present.ts';
import type { SharedAlbum, SharedPhotoItem } from './schema.ts';

export function createReadSharedAlbum(deps: Deps) {
  const readPhotos = createReadPhotoPage(deps);

  return async (opened: OpenedAlbum, page: PaginationRequest): Promise<SharedAlbum> => {
    const { share, album, parents } = opened;
    const seer = chooseDecidingViewer({ share, album });
    const signer = createSharePathSigner(deps, share);
    const { rows, total } = await readPhotos(createAlbumFilter(deps, seer, album), toRowWindow(page));
    const images = await findImages(
      deps,
      rows.map(({ image_key }) => image_key),
    );
    const list = rows.map((row): SharedPhotoItem => {
      const image = images.get(row.image_key)!;
      const path = (name: string) => buildImagePath({ name, visibility_now: row.visibility_now }, signer);
      const item = presentPhotoItem(row, signer);
      const full = share.allow_download === 1 ? path(getFullPictureName(row.image_key, image)) : item.preview;
      return { ...item, path: full };
    });
    const cover = (await findSharedCovers(deps, opened, [album])).get(album.id);
    const shown = { cover: cover ? thumbPath(cover, signer) : '', count: total, signer };
    // The response hides the parent of the shared album and all rules, because these are private to the owner.
    return {
      album: { ...presentAlbum(undefined, album, shown), parent_id: parents.at(-1)?.id ?? 0 },
      parents,
      children: await readChildren(deps, opened),
      photos: { list, pagination: createPagination(page, total) },
    };
  };
}

/** Returns the albums directly in an opened album, each with its cover and the number of photos that the link shows. */
async function readChildren(deps: Deps, opened: OpenedAlbum): Promise<Album[]> {
  const { share } = opened;
  const rows = await findChildAlbums(deps, opened);
  const [smart, ordinary] = [rows.filter(isSmartAlbum), rows.filter((row) => !isSmartAlbum(row))];
  const counts = await countPhotosInAlbums(deps, chooseDecidingViewer(opened), ordinary);
  const figures = await findSmartAlbumFigures(deps, undefined, smart);
  const covers = await findSharedCovers(deps, opened, rows, figures);
  const signer = createSharePathSigner(deps, share);
  return rows.map((row) => {
    const cover = covers.get(row.id);
    const count = isSmartAlbum(row) ? (figures.get(row.id)?.count ?? null) : (counts.get(row.id) ?? 0);
    return presentAlbum(undefined, row, { cover: cover ? thumbPath(cover, signer) : '', count, signer });
  });
}

/** Returns the picture that previews of a link to an album show. */
export async function findSharedAlbumPicture(deps: Deps, opened: OpenedAlbum) {
  const { album, share } = opened;
  const cover = (await findSharedCovers(deps, opened, [album])).get(album.id);
  return cover && findCoverPicture(deps, cover, createSharePathSigner(deps, share));
}

/**
 * Returns the covers for a link by album id. The deciding viewer sees the photos, and each of them is in the album or in
 * an inner album that the link shows.
 */
async function findSharedCovers(
  deps: Deps,
  { share, root }: OpenedAlbum,
  albums: AlbumItemRow[],
  figures?: Map<number, SmartAlbumFigures>,
): Promise<Map<number, AlbumCover>> {
  const seer = chooseDecidingViewer({ share, album: root });
  const known = figures ?? (await findSmartAlbumFigures(deps, undefined, albums));
  return findCovers(deps, seer, albums, known, (album) => album.visibility_now === root.visibility_now);
}

async function findImages({ db }: Deps, keys: string[]) {
  if (keys.length === 0) return new Map();
  const images = await db.kysely
    .selectFrom('images')
    .select([
      'key',
      'kind as image_kind',
      'extension as image_extension',
      'preview_extension',
      'full_extension',
    ])
    .where('key', 'in', keys)
    .execute();
  return new Map(images.map((image) => [image.key, image]));
}
