/** Checks of lists of albums, with their counts and covers. */
import {
  ask,
  type Context,
  compareCount,
  compareLabels,
  compareStatus,
  type Difference,
  findFirst,
  listLabels,
} from './check.ts';
import { type AlbumItem, compareAlbum } from './compare-album.ts';
import { listAlbums } from './decide.ts';
import type { ModelAnswer } from './requests.ts';
import { findLabel } from './stage.ts';
import type { Name, Viewer } from './state.ts';

export async function checkAlbumList(
  context: Context,
  viewer: Viewer,
  path: string,
  wanted: ModelAnswer,
  owners: readonly Name[],
): Promise<Difference | undefined> {
  const { state, stage } = context;
  const answer = await ask(context, viewer, `${path}limit=100`);
  const differs = compareStatus(context, viewer, answer, wanted);
  if (differs || answer.status !== 200) return differs;
  const albums = listAlbums(state, viewer).filter(({ owner }) => owners.includes(owner));
  const { list, pagination }: { list: AlbumItem[]; pagination: { total: number } } = answer.body.data;
  const items = new Map(list.map((item) => [findLabel(stage, 'album', item.id), item]));
  return findFirst(
    compareLabels([...items.keys()], listLabels(albums)),
    compareCount(context, 'the total', pagination.total, albums.length),
    ...albums.map((album) => {
      const item = items.get(album.label);
      return item && compareAlbum(context, viewer, item, album, 'member');
    }),
  );
}
