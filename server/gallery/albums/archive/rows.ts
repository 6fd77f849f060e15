/**
 * Reads the rows of an album for an archive. Rows are read in small pages while the archive is sent, so memory use
 * does not grow with the album.
 */

import { sql } from 'kysely';
import type { Deps } from '../../../deps.ts';
import { flattenRowPages, yieldRowPages } from '../../../platform/db/pages.ts';
import { prepareRead } from '../../../platform/db/prepared.ts';
import type { Visibility, VisibilityOutsideTrash } from '../../../platform/db/states.ts';
import type { AlbumRow, ImageRow, PhotoRow } from '../../../platform/db/tables.ts';
import type { Viewer } from '../../identity/viewer.ts';
import { isSmartAlbum } from '../../library/albums.ts';
import { listVisibilitiesInAlbum } from '../../library/permissions.ts';
import { currentVisibilityColumn, visibleToViewerCondition } from '../../library/visibility-sql.ts';
import { recordAdminLook } from '../../moderation/admin-looks.ts';
import { findSmartAlbumPhotos } from './smart-album-photos.ts';

const pageSize = 200;

export type ArchivePhoto = Pick<
  PhotoRow,
  'id' | 'user_id' | 'visibility' | 'title' | 'file_name' | 'taken_time'
> &
  Pick<
    ImageRow,
    'key' | 'kind' | 'extension' | 'mime' | 'size' | 'preview_extension' | 'full_extension' | 'clean_parts'
  > & { visibility_now: Visibility };

export type ArchiveAlbum = Pick<
  AlbumRow,
  'id' | 'user_id' | 'name' | 'name_key' | 'visibility' | 'update_time' | 'rule'
>;

export type ArchiveQueries = ReturnType<typeof prepareArchiveQueries>;

export function prepareArchiveQueries(deps: Deps) {
  const { db } = deps;
  const findPlaces = prepareRead<{ id: number; place: number }>(db, (query, arg) =>
    query
      .selectFrom('album_photos')
      .select(['photo_id as id', 'position as place'])
      .where('album_id', '=', arg<number>('album'))
      .where('visibility', '=', arg<VisibilityOutsideTrash>('visibility'))
      .where('position', '>', arg<number>('after'))
      .orderBy('position')
      .limit(sql.lit(pageSize)),
  );
  const findPhoto = prepareRead<ArchivePhoto>(db, (query, arg) =>
    photoQuery(query, arg<number>('id'))
      .innerJoin('album_photos', 'album_photos.photo_id', 'photos.id')
      .where('album_photos.album_id', '=', arg<number>('album'))
      .where(visibleToViewerCondition({ id: arg('viewer'), isAdmin: arg('isAdmin') })),
  );
  const findAny = prepareRead<ArchivePhoto>(db, (query, arg) =>
    photoQuery(query, arg<number>('id')).where(
      visibleToViewerCondition({ id: arg('viewer'), isAdmin: arg('isAdmin') }),
    ),
  );
  const findInner = prepareRead<ArchiveAlbum>(db, (query, arg) =>
    query
      .selectFrom('albums')
      .select(['id', 'user_id', 'name', 'name_key', 'visibility', 'update_time', 'rule'])
      .where('parent_id', '=', arg<number>('parent'))
      // Skip smart albums, because their photos are in other albums or in none, and a rule can find a whole library.
      .where('rule', 'is', null)
      .where('visibility', '=', arg<VisibilityOutsideTrash>('visibility'))
      .where((is) =>
        is.or([
          is('name_key', '>', arg<string>('name')),
          is.and([is('name_key', '=', arg<string>('name')), is('id', '>', arg<number>('after'))]),
        ]),
      )
      .orderBy('name_key')
      .orderBy('id')
      .limit(sql.lit(pageSize)),
  );

  return {
    /** Yields the ids of the album's photos that the viewer can see, in the album's order. */
    async *photoIds(viewer: Viewer | undefined, album: ArchiveAlbum): AsyncGenerator<number> {
      if (isSmartAlbum(album)) {
        for await (const { id } of flattenRowPages(findSmartAlbumPhotos(deps, viewer, album))) yield id;
        return;
      }
      const visibilities = listVisibilitiesInAlbum(viewer, album);
      const findPage = async (after: number) => {
        const found = [];
        for (const visibility of visibilities) {
          found.push(...(await findPlaces({ album: album.id, visibility, after })));
        }
        // Both visibilities have a page of their own. Beyond the end of the shorter page, photos may be missing, so
        // the merged result is cut to one page.
        return found.sort((one, other) => one.place - other.place).slice(0, pageSize);
      };
      for await (const { id } of flattenRowPages(yieldRowPages(-1, pageSize, ({ place }) => place, findPage)))
        yield id;
    },
    /** Yields the albums directly in the album by visibility, then by name. */
    async *subalbums(
      visibilities: VisibilityOutsideTrash[],
      album: ArchiveAlbum,
    ): AsyncGenerator<ArchiveAlbum> {
      for (const visibility of visibilities) {
        const first = { name_key: '', id: 0 };
        const findPage = async ({ name_key, id }: typeof first) =>
          findInner({ parent: album.id, visibility, name: name_key, after: id });
        yield* flattenRowPages(yieldRowPages(first, pageSize, (album: ArchiveAlbum) => album, findPage));
      }
    },
    /** Returns a photo by id from any album, or undefined if the viewer cannot see the photo. */
    async findVisiblePhoto(viewer: Viewer | undefined, id: number): Promise<ArchivePhoto | undefined> {
      const [photo] = await findAny({ id, viewer: viewer?.id ?? 0, isAdmin: viewer?.isAdmin ? 1 : 0 });
      return recordLook(viewer, photo);
    },
    /**
     * Returns the current row of a photo, or undefined if the photo left the album or the viewer can no longer see
     * it. A photo of a smart album stays in the archive even if the rule no longer matches.
     */
    async photo(
      viewer: Viewer | undefined,
      album: ArchiveAlbum,
      id: number,
    ): Promise<ArchivePhoto | undefined> {
      if (isSmartAlbum(album)) return this.findVisiblePhoto(viewer, id);
      const isAdmin = viewer?.isAdmin ? 1 : 0;
      const [photo] = await findPhoto({ id, album: album.id, viewer: viewer?.id ?? 0, isAdmin });
      return recordLook(viewer, photo);
    },
  };

  function recordLook(viewer: Viewer | undefined, photo: ArchivePhoto | undefined): ArchivePhoto | undefined {
    if (photo) recordAdminLook(deps, viewer, photo);
    return photo;
  }
}

function photoQuery(query: Deps['db']['kysely'], id: number) {
  return query
    .selectFrom('photos')
    .innerJoin('images', 'images.key', 'photos.image_key')
    .select(['photos.id', 'photos.user_id', 'photos.visibility', 'title', 'file_name', 'taken_time'])
    .select(currentVisibilityColumn)
    .select(['key', 'kind', 'extension', 'mime', 'images.size'])
    .select(['images.preview_extension', 'full_extension'])
    .select('clean_parts')
    .where('photos.id', '=', id);
}
