/**
 * Chooses the cover of an album: the photo that the owner chose, or else the newest photo. A cover is always a
 * photo that the viewer can see.
 */

import { type Kysely, sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import { idsOf } from '../../platform/db/rows.ts';
import type { Visibility, VisibilityOutsideTrash } from '../../platform/db/states.ts';
import type { AlbumRow, Tables } from '../../platform/db/tables.ts';
import type { Viewer } from '../identity/viewer.ts';
import { isSmartAlbum } from '../library/albums.ts';
import { canSee } from '../library/permissions.ts';
import { findParentAlbums } from '../library/tree.ts';
import { visibilitiesOutsideTrash } from '../library/visibility-rule.ts';
import { albumCurrentVisibilityColumn, currentVisibilityColumn } from '../library/visibility-sql.ts';
import type { SmartAlbumFigures } from './figures.ts';

export interface AlbumCover {
  id: number;
  user_id: number;
  image_key: string;
  visibility_now: Visibility;
  create_time: number;
}

export type AlbumNeedingCover = Pick<AlbumRow, 'id' | 'user_id' | 'cover_id' | 'rule'>;

/** Returns whether the cover of an album can come from this album inside it. */
type IsAlbumShown = (album: { user_id: number; visibility_now: Visibility }) => boolean;

/**
 * Returns the cover of each album by album id. An album has no cover if the viewer sees no photo in the album or in
 * the albums below it. A smart album has no cover if its figures are unknown.
 */
export async function findCovers(
  { db }: Pick<Deps, 'db'>,
  viewer: Viewer | undefined,
  albums: AlbumNeedingCover[],
  figures: Map<number, SmartAlbumFigures>,
  isShown: IsAlbumShown = (album) => canSee(viewer, album),
): Promise<Map<number, AlbumCover>> {
  const covers = new Map<number, AlbumCover>();
  if (albums.length === 0) return covers;
  const ordinary = albums.filter((album) => !isSmartAlbum(album));
  const inside = await findNewest(
    db.kysely,
    ordinary.map(({ id }) => ({ root: id, id })),
  );
  const newest = [...inside, ...[...figures].map(([root, { newest }]) => ({ root, ids: newest }))];
  const chosen = await findChosen(db.kysely, isShown, albums);
  const photos = await findPhotos(
    db.kysely,
    [...chosen.values(), ...newest.flatMap(({ ids }) => ids)],
    viewer,
  );
  for (const { id } of albums) {
    const own = newest.find(({ root }) => root === id)?.ids ?? [];
    const cover = photos.get(chosen.get(id) ?? 0) ?? chooseNewest(own, photos);
    if (cover) covers.set(id, cover);
  }
  const bare = ordinary.filter(({ id }) => !covers.has(id));
  if (bare.length > 0) await addCoversFromSubalbums(db.kysely, { viewer, isShown }, idsOf(bare), covers);
  return covers;
}

/**
 * Returns the covers that owners chose, by album id. Leaves out a cover that the album shows only because of an inner
 * album that the viewer cannot see.
 */
async function findChosen(
  kysely: Kysely<Tables>,
  isShown: IsAlbumShown,
  albums: AlbumNeedingCover[],
): Promise<Map<number, number>> {
  const chosen = new Map<number, number>();
  const covered = albums.filter(({ cover_id }) => cover_id !== null);
  if (covered.length === 0) return chosen;
  const containing = await kysely
    .selectFrom('album_photos')
    .innerJoin('albums', 'albums.id', 'album_photos.album_id')
    .select(['album_photos.photo_id', 'albums.id', 'albums.user_id', albumCurrentVisibilityColumn()])
    .where(
      'album_photos.photo_id',
      'in',
      covered.map(({ cover_id }) => cover_id!),
    )
    .execute();
  const visible = containing.filter(isShown);
  for (const { id, cover_id } of covered) {
    const holders = visible.filter(({ photo_id }) => photo_id === cover_id);
    const isDirect = holders.some((holder) => holder.id === id);
    const lines = isDirect
      ? []
      : await Promise.all(holders.map((holder) => findParentAlbums(kysely, holder.id)));
    if (isDirect || lines.some((line) => line.some((above) => above.id === id))) chosen.set(id, cover_id!);
  }
  return chosen;
}

/** Maximum number of inner albums that are searched for the cover of an album without photos. */
const maxSubalbums = 200;

async function addCoversFromSubalbums(
  kysely: Kysely<Tables>,
  { viewer, isShown }: { viewer: Viewer | undefined; isShown: IsAlbumShown },
  bare: number[],
  covers: Map<number, AlbumCover>,
): Promise<void> {
  const below = await kysely
    .withRecursive('below', (query) =>
      query
        .selectFrom('albums')
        .select(['parent_id as root', 'id'])
        .where('parent_id', 'in', bare)
        .unionAll((all) =>
          all
            .selectFrom('albums')
            .innerJoin('below', 'below.id', 'albums.parent_id')
            .select(['below.root', 'albums.id']),
        ),
    )
    .selectFrom('below')
    .innerJoin('albums', 'albums.id', 'below.id')
    .select((is) => [is.ref('root').$notNull().as('root'), 'below.id', 'albums.user_id'])
    .select(albumCurrentVisibilityColumn())
    .where((is) =>
      is.exists(
        is
          .selectFrom('album_photos')
          .select('album_photos.photo_id')
          .whereRef('album_photos.album_id', '=', 'below.id')
          .where('album_photos.visibility', 'in', visibilitiesOutsideTrash),
      ),
    )
    .limit(maxSubalbums)
    .execute();
  const visible = below.filter(isShown);
  if (visible.length === 0) return;
  const newest = await findNewest(kysely, visible);
  const photos = await findPhotos(
    kysely,
    newest.flatMap(({ ids }) => ids),
    viewer,
  );
  for (const root of bare) {
    const ids = newest.filter((entry) => entry.root === root).flatMap((entry) => entry.ids);
    const cover = chooseNewest(ids, photos);
    if (cover) covers.set(root, cover);
  }
}

/** Finds the newest photo of each visibility in each album, with one index look-up each. */
async function findNewest(kysely: Kysely<Tables>, albums: { root: number; id: number }[]) {
  if (albums.length === 0) return [];
  const newest = (visibility: VisibilityOutsideTrash) => sql<number | null>`(SELECT photo_id FROM album_photos
    WHERE album_id = albums.id AND album_photos.visibility = ${visibility}
    ORDER BY album_photos.create_time DESC, photo_id DESC LIMIT 1)`;
  const rows = await kysely
    .selectFrom('albums')
    .select('id')
    .select(visibilitiesOutsideTrash.map((visibility) => newest(visibility).as(`newest${visibility}`)))
    .where('id', 'in', idsOf(albums))
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return albums.map(({ root, id }) => ({
    root,
    ids: visibilitiesOutsideTrash
      .map((visibility) => byId.get(id)?.[`newest${visibility}`])
      .filter((photo) => typeof photo === 'number'),
  }));
}

/** Returns those of the photos that the viewer can see, as a map by id. */
async function findPhotos(kysely: Kysely<Tables>, ids: number[], viewer: Viewer | undefined) {
  if (ids.length === 0) return new Map<number, AlbumCover>();
  const photos = await kysely
    .selectFrom('photos')
    .select(['id', 'user_id', 'image_key', 'create_time'])
    .select(currentVisibilityColumn)
    .where('id', 'in', ids)
    .execute();
  return new Map(photos.filter((photo) => canSee(viewer, photo)).map((photo) => [photo.id, photo]));
}

function chooseNewest(ids: number[], photos: Map<number, AlbumCover>): AlbumCover | undefined {
  const found = ids.flatMap((id) => photos.get(id) ?? []);
  return found.sort((one, other) => other.create_time - one.create_time || other.id - one.id)[0];
}
