/**
 * Reads the data of an album's page: the album, its photo wall, and the photo that a viewer opened. The list has the
 * same parameters as in `web/photos/queries.ts`.
 */
import type { Deps } from '../../deps.ts';
import { maxItemsPerPage } from '../../platform/http/pagination.ts';
import { readAlbum } from '../albums/detail.ts';
import type { AlbumDetail } from '../albums/schema.ts';
import type { Viewer } from '../identity/viewer.ts';
import { createReadPhotoDetail } from '../photos/detail.ts';
import { readTimeline } from '../photos/groups/timeline.ts';
import { createListPhotos } from '../photos/list/list.ts';

export function createReadAlbumPage(deps: Deps) {
  const listPhotos = createListPhotos(deps);
  const readDetail = createReadPhotoDetail(deps);

  /**
   * Reads the photos of an album. An ordinary album has the order that its owner chose, and a smart album has months
   * like a search.
   */
  async function readWall(viewer: Viewer | undefined, { id, is_smart }: AlbumDetail, around?: number) {
    const window = { page: 1, limit: maxItemsPerPage, album_id: id, ...(around !== undefined && { around }) };
    if (!is_smart) return { page: await listPhotos(viewer, { ...window, sort: 'position' }) };
    const [months, page] = await Promise.all([
      readTimeline(deps, viewer, { by: 'taken_time', album_id: id }),
      listPhotos(viewer, { ...window, sort: 'taken_time', order: 'desc' }),
    ]);
    return { months: months.list, page };
  }

  /** Throws the errors of the API: for the album, for the photo, and for a photo that is not in the album. */
  return async (viewer: Viewer | undefined, id: number, photoId?: number) => {
    const album = await readAlbum(deps, viewer, id);
    if (photoId === undefined) return { album, wall: await readWall(viewer, album) };
    const [photo, wall] = await Promise.all([
      // This read counts no view, because the script counts the view when the page calls the API.
      readDetail(viewer, photoId, false),
      readWall(viewer, album, photoId),
    ]);
    return { album, photo, wall };
  };
}
