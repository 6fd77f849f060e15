/** Checks of an album's detail and of its photos. */
import {
  ask,
  type Check,
  type Context,
  compareCount,
  compareLabels,
  compareStatus,
  compareValues,
  type Difference,
  findFirst,
  listLabels,
} from './check.ts';
import { checkPhotoList } from './check-list.ts';
import { decideAlbum, listAlbumsIn, listPhotosBelow, listPhotosIn, presentLevel } from './decide.ts';
import { albumLevel } from './levels.ts';
import { type Viewer, viewers } from './state.ts';

export function createAlbumChecks(album: string): Check[] {
  return viewers.flatMap((viewer) => [
    {
      name: `${viewer} opens ${album}`,
      about: album,
      run: (context: Context) => checkDetail(context, viewer, album),
    },
    {
      name: `${viewer} lists the photos of ${album}`,
      about: album,
      run: (context: Context) =>
        checkPhotos(context, viewer, album, `/api/albums/${context.stage.ids.get(album)}/photos?`),
    },
    {
      name: `${viewer} filters photos by ${album}`,
      about: album,
      run: (context: Context) =>
        checkPhotos(context, viewer, album, `/api/photos?album_id=${context.stage.ids.get(album)}&`),
    },
  ]);
}

async function checkDetail(context: Context, viewer: Viewer, label: string): Promise<Difference | undefined> {
  const { state, stage } = context;
  const answer = await ask(context, viewer, `/api/albums/${stage.ids.get(label)}`);
  const differs = compareStatus(context, viewer, answer, decideAlbum(state, viewer, label));
  if (differs || answer.status !== 200) return differs;
  const album = state.albums.get(label)!;
  const { visibility, is_public, effective_visibility, photo_count, children, cover } = answer.body.data;
  return findFirst(
    compareLabels(
      children.map(({ name }: { name: string }) => name),
      listLabels(listAlbumsIn(state, viewer, album)),
    ),
    compareCount(context, 'photo_count', photo_count, listPhotosIn(state, viewer, album).length),
    compareCover(context, cover, listLabels(listPhotosBelow(state, viewer, album))),
    compareValues('the level', { visibility, is_public }, presentLevel(album)),
    compareValues('the effective level', effective_visibility, albumLevel(state, album)),
  );
}

function compareCover({ stage }: Context, cover: string, allowed: string[]): Difference | undefined {
  if (cover === '') return compareValues('the number of photos for an absent cover', allowed.length, 0);
  const path = cover.split('?')[0];
  const shown = [...stage.thumbs].find(([, thumb]) => thumb === path)?.[0] ?? path!;
  return allowed.includes(shown) ? undefined : { text: `the cover is ${shown}`, isLeak: true };
}

function checkPhotos(
  context: Context,
  viewer: Viewer,
  label: string,
  path: string,
): Promise<Difference | undefined> {
  const album = context.state.albums.get(label);
  const photos = album ? listPhotosIn(context.state, viewer, album) : [];
  return checkPhotoList(context, viewer, path, decideAlbum(context.state, viewer, label), photos);
}
