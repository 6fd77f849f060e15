/** What the link of an album shows: the album, and the photos directly in it that its sharer may see. */

import type { Deps } from '../../deps.ts';
import { type PageRequest, paginationOf, windowOf } from '../../platform/http/pagination.ts';
import { findCovers } from '../albums/covers.ts';
import { presentAlbum } from '../albums/present.ts';
import { fullName, thumbPath } from '../delivery/paths.ts';
import { pathFor, type Signer } from '../delivery/signatures.ts';
import { isPublic, photoCountFor, shownTo } from '../library/permissions.ts';
import { createReadRows } from '../photos/list/rows.ts';
import { presentItem } from '../photos/present.ts';
import { type AlbumLink, sharerOf } from './open.ts';
import type { SharedAlbum, SharedItem } from './schema.ts';

export function createReadSharedAlbum(deps: Deps) {
  const readRows = createReadRows(deps);

  return async ({ share, album }: AlbumLink, page: PageRequest): Promise<SharedAlbum> => {
    const sharer = sharerOf(share);
    const signer = { grant: `s${share.id}`, now: deps.clock(), secret: deps.secret } as const;
    const total = photoCountFor(sharer, album);
    const window = windowOf(page);
    const filter = {
      branches: shownTo(sharer, album).map((visibility) => ({ visibility })),
      column: 'album_position' as const,
      order: 'asc' as const,
      albumId: album.id,
      showsDisabled: false,
      viewerId: sharer.id,
      reactionsOf: 0,
    };
    const rows = window.offset < total ? await readRows(filter, window, [total]) : [];
    const images = await findImages(
      deps,
      rows.map(({ image_key }) => image_key),
    );
    const list = rows.map((row): SharedItem => {
      const image = images.get(row.image_key)!;
      const path = (name: string) => pathFor({ name, visibility_now: row.visibility_now }, signer);
      const item = presentItem(row, signer);
      const full = share.allow_download === 1 ? path(fullName(row.image_key, image)) : item.preview;
      return { ...item, path: full };
    });
    const cover = await coverOf(deps, { share, album }, signer);
    // Where it lies is its owner's business.
    return {
      album: { ...presentAlbum(sharer, album, cover), parent_id: 0 },
      photos: { list, pagination: paginationOf(page, total) },
    };
  };
}

/** The link opens only the photos of this album, not those of albums below it. */
async function coverOf(deps: Deps, { share, album }: AlbumLink, signer: Signer): Promise<string> {
  const cover = (await findCovers(deps, sharerOf(share), [album])).get(album.id);
  return cover && (isPublic(cover) || cover.album_id === album.id) ? thumbPath(cover, signer) : '';
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
