/**
 * Reads a shared album with the photos directly in it. Visitors see the photos that the creator of the link can see.
 * Links of smart albums show only public photos.
 */

import type { Deps } from '../../deps.ts';
import { createPagination, type PaginationRequest, toRowWindow } from '../../platform/http/pagination.ts';
import { type AlbumCover, findCovers } from '../albums/covers.ts';
import { findSmartAlbumFigures } from '../albums/figures.ts';
import { presentAlbum } from '../albums/present.ts';
import { getFullPictureName, thumbPath } from '../delivery/paths.ts';
import { buildImagePath } from '../delivery/signatures.ts';
import { findCoverPicture } from '../photos/card.ts';
import { createAlbumFilter } from '../photos/list/filter.ts';
import { createReadPhotoPage } from '../photos/list/list.ts';
import { presentPhotoItem } from '../photos/present.ts';
import { type AlbumShareLink, chooseDecidingViewer } from './open.ts';
import { createSharePathSigner } from './present.ts';
import type { SharedAlbum, SharedPhotoItem } from './schema.ts';

export function createReadSharedAlbum(deps: Deps) {
  const readPhotos = createReadPhotoPage(deps);

  return async ({ share, album }: AlbumShareLink, page: PaginationRequest): Promise<SharedAlbum> => {
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
    const found = await findCover(deps, { share, album });
    const cover = found ? thumbPath(found, signer) : '';
    // The response hides the parent album and the rule, because these are private to the owner.
    return {
      album: { ...presentAlbum(undefined, album, { cover, count: total, signer }), parent_id: 0 },
      photos: { list, pagination: createPagination(page, total) },
    };
  };
}

/** Returns the picture that previews of a link to an album show. */
export async function findSharedAlbumPicture(deps: Deps, link: AlbumShareLink) {
  const cover = await findCover(deps, link);
  return cover && findCoverPicture(deps, cover, createSharePathSigner(deps, link.share));
}

/**
 * Returns the cover for a link: the cover that the deciding viewer sees, if the album contains the photo. Otherwise it
 * returns the cover that everyone sees, because the link does not open subalbums.
 */
async function findCover(deps: Deps, { share, album }: AlbumShareLink): Promise<AlbumCover | undefined> {
  const seer = chooseDecidingViewer({ share, album });
  const figures = await findSmartAlbumFigures(deps, seer, [album]);
  const cover = (await findCovers(deps, seer, [album], figures)).get(album.id);
  if (cover && (await isContained(deps, album.id, cover.id))) return cover;
  return (await findCovers(deps, undefined, [album], figures)).get(album.id);
}

async function isContained({ db }: Deps, albumId: number, photoId: number): Promise<boolean> {
  const row = await db.kysely
    .selectFrom('album_photos')
    .select('photo_id')
    .where('album_id', '=', albumId)
    .where('photo_id', '=', photoId)
    .executeTakeFirst();
  return row !== undefined;
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
