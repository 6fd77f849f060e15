/** An album's page: the album, its wall as `web/photos/queries.ts` asks for it, and the photo that is shown over it. */
import type { Deps } from '../../deps.ts';
import { maxLimit } from '../../platform/http/pagination.ts';
import { readAlbum } from '../albums/detail.ts';
import type { AlbumDetail } from '../albums/schema.ts';
import type { Viewer } from '../identity/viewer.ts';
import { createReadDetail } from '../photos/detail.ts';
import { readTimeline } from '../photos/groups/timeline.ts';
import { createListPhotos } from '../photos/list/list.ts';

export function createReadAlbumPage(deps: Deps) {
  const listPhotos = createListPhotos(deps);
  const readDetail = createReadDetail(deps);

  /** An ordinary album has its owner's order, a smart one months as a search has. */
  async function readWall(viewer: Viewer | undefined, { id, is_smart }: AlbumDetail, around?: number) {
    const window = { page: 1, limit: maxLimit, album_id: id, ...(around !== undefined && { around }) };
    if (!is_smart) return { page: await listPhotos(viewer, { ...window, sort: 'position' }) };
    const [months, page] = await Promise.all([
      readTimeline(deps, viewer, { by: 'taken_time', album_id: id }),
      listPhotos(viewer, { ...window, sort: 'taken_time', order: 'desc' }),
    ]);
    return { months: months.list, page };
  }

  /** Throws what the API would refuse the viewer, of the album, the photo, or one that is not in it. */
  return async (viewer: Viewer | undefined, id: number, photoId?: number) => {
    const album = await readAlbum(deps, viewer, id);
    if (photoId === undefined) return { album, wall: await readWall(viewer, album) };
    const [photo, wall] = await Promise.all([
      // No view: who looks at it is counted when the page asks for it.
      readDetail(viewer, photoId, false),
      readWall(viewer, album, photoId),
    ]);
    return { album, photo, wall };
  };
}
