/** Checks of a photo's detail and of its images. */
import {
  ask,
  type Check,
  type Context,
  compareLabels,
  compareOpened,
  compareStatus,
  compareValues,
  type Difference,
  findFirst,
} from './check.ts';
import { canOpenImage, decidePhoto, findViewerProblem, listAlbumsFor, presentLevel } from './decide.ts';
import { photoLevel } from './levels.ts';
import { findLabel } from './stage.ts';
import { type Photo, type Viewer, viewers } from './state.ts';

export function createPhotoChecks(photo: string): Check[] {
  return viewers.flatMap((viewer) => [
    {
      name: `${viewer} opens ${photo}`,
      viewer,
      about: photo,
      givesPaths: true,
      run: (context: Context) => checkDetail(context, viewer, photo),
    },
    {
      name: `${viewer} opens the image of ${photo}`,
      viewer,
      about: photo,
      run: (context: Context) => checkImage(context, viewer, photo),
    },
    {
      name: `somebody without credentials opens the image of ${photo} at the path that ${viewer} got`,
      viewer,
      about: photo,
      run: (context: Context) => checkGivenPath(context, viewer, photo),
    },
  ]);
}

async function checkDetail(context: Context, viewer: Viewer, label: string): Promise<Difference | undefined> {
  const { state, stage } = context;
  const answer = await ask(context, viewer, `/api/photos/${stage.ids.get(label)}`);
  const wanted = decidePhoto(state, viewer, label);
  const differs = compareStatus(context, viewer, answer, wanted);
  if (differs || answer.status !== 200) return differs;
  const photo = state.photos.get(label)!;
  const { visibility, is_public, effective_visibility, album, albums, thumb } = answer.body.data;
  stage.givenPaths.set(`${viewer} ${label}`, thumb);
  const image = await ask(context, 'stranger', thumb);
  return findFirst(
    compareValues('the level', { visibility, is_public }, presentLevel(photo)),
    compareValues('the effective level', effective_visibility, photoLevel(state, photo)),
    compareAlbums(context, viewer, photo, { album, albums }),
    compareValues('the status of the image at the answered path', image.status, 200),
  );
}

interface PhotoAlbums {
  album: { id: number; name: string } | null;
  albums: { id: number; name: string; as: string }[];
}

/** Compares the albums of a photo, the main album first. */
function compareAlbums(
  { state, stage }: Context,
  viewer: Viewer,
  photo: Photo,
  { album, albums }: PhotoAlbums,
): Difference | undefined {
  const say = ({ name, as }: { name: string; as: string }) => `${name} (${as})`;
  const wanted = listAlbumsFor(state, viewer, photo);
  const main = wanted.find(({ as }) => as === 'main');
  return findFirst(
    compareLabels(albums.map(say), wanted.map(say)),
    compareValues('the main album', album?.name ?? null, main?.name ?? null),
    compareValues(
      'the names by id',
      [...albums, ...(album ? [album] : [])].map(({ id }) => findLabel(stage, 'album', id)),
      [...albums, ...(album ? [album] : [])].map(({ name }) => name),
    ),
  );
}

async function checkImage(context: Context, viewer: Viewer, label: string): Promise<Difference | undefined> {
  const { state, stage } = context;
  const answer = await ask(context, viewer, stage.thumbs.get(label)!);
  const canOpen = canOpenImage(state, viewer, label) && !findViewerProblem(state, viewer);
  return compareOpened(answer.status === 200, canOpen);
}

/** Checks that a path ends with the sight of the viewer who got the path. */
async function checkGivenPath(
  context: Context,
  viewer: Viewer,
  label: string,
): Promise<Difference | undefined> {
  const { state, stage } = context;
  const path = stage.givenPaths.get(`${viewer} ${label}`);
  const canOpen = canOpenImage(state, viewer, label) && !findViewerProblem(state, viewer);
  if (path === undefined || canOpen || canOpenImage(state, 'stranger', label)) return undefined;
  return compareOpened((await ask(context, 'stranger', path)).status === 200, false);
}
