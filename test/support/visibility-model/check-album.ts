/** Checks of an album's detail and of its photos. */
import {
  ask,
  type Check,
  type Context,
  compareCount,
  compareLabels,
  compareStatus,
  type Difference,
  findFirst,
  listLabels,
} from './check.ts';
import { checkArchive } from './check-archive.ts';
import { checkPhotoList } from './check-photo-list.ts';
import { type AlbumItem, compareAlbum } from './compare-album.ts';
import { decideAlbum, listAlbumsIn, listNewest, listPhotos, listPhotosIn, searchAlbum } from './decide.ts';
import { done } from './requests.ts';
import { type Photo, type Viewer, viewers } from './state.ts';

export function createAlbumChecks(album: string): Check[] {
  return viewers.flatMap((viewer) => {
    const check = (
      does: string,
      run: (context: Context, viewer: Viewer, label: string) => Promise<Difference | undefined>,
    ): Check => ({
      name: `${viewer} ${does} ${album}`,
      viewer,
      about: album,
      run: (context) => run(context, viewer, album),
    });
    return [
      check('opens', checkDetail),
      check('lists the photos of', checkPhotos),
      check('filters photos by', checkFilter),
      check('counts the months of', checkMonths),
      check('downloads', checkArchive),
      check('searches the photos of', checkSearch),
      check('searches the photos outside of', checkExclusion),
    ];
  });
}

async function checkDetail(context: Context, viewer: Viewer, label: string): Promise<Difference | undefined> {
  const { state, stage } = context;
  const answer = await ask(context, viewer, `/api/albums/${stage.ids.get(label)}`);
  const differs = compareStatus(context, viewer, answer, decideAlbum(state, viewer, label));
  if (differs || answer.status !== 200) return differs;
  const album = state.albums.get(label)!;
  const inner = listAlbumsIn(state, viewer, album);
  const children: AlbumItem[] = answer.body.data.children;
  return findFirst(
    compareLabels(
      children.map(({ name }) => name),
      listLabels(inner),
    ),
    compareAlbum(context, viewer, answer.body.data, album, 'viewer'),
    ...inner.map((one) => {
      const item = children.find(({ name }) => name === one.label);
      return item && compareAlbum(context, viewer, item, one, 'viewer');
    }),
  );
}

/** Returns the photos that the viewer finds in the album, or none without an album. */
function listInside({ state }: Context, viewer: Viewer, label: string): Photo[] {
  const album = state.albums.get(label);
  return album ? listPhotosIn(state, viewer, album) : [];
}

const albumPath = ({ stage }: Context, label: string) => `/api/albums/${stage.ids.get(label)}`;

function checkPhotos(context: Context, viewer: Viewer, label: string): Promise<Difference | undefined> {
  const photos = listInside(context, viewer, label);
  const wanted = decideAlbum(context.state, viewer, label);
  return checkPhotoList(context, viewer, `${albumPath(context, label)}/photos?`, wanted, photos);
}

function checkFilter(context: Context, viewer: Viewer, label: string): Promise<Difference | undefined> {
  const { state, stage } = context;
  const photos = listNewest(state, listInside(context, viewer, label));
  const path = `/api/photos?album_id=${stage.ids.get(label)}&`;
  return checkPhotoList(context, viewer, path, decideAlbum(state, viewer, label), photos);
}

async function checkMonths(context: Context, viewer: Viewer, label: string): Promise<Difference | undefined> {
  const { state, stage } = context;
  const path = `/api/timeline?by=create_time&album_id=${stage.ids.get(label)}`;
  const answer = await ask(context, viewer, path);
  const differs = compareStatus(context, viewer, answer, decideAlbum(state, viewer, label));
  if (differs || answer.status !== 200) return differs;
  const { list }: { list: { count: number }[] } = answer.body.data;
  const sum = list.reduce((total, { count }) => total + count, 0);
  return compareCount(context, 'the sum of all months', sum, listInside(context, viewer, label).length);
}

function checkSearch(context: Context, viewer: Viewer, label: string): Promise<Difference | undefined> {
  const path = `/api/photos?q=album:${context.stage.ids.get(label)}&`;
  return checkPhotoList(context, viewer, path, done, searchAlbum(context.state, viewer, label));
}

function checkExclusion(context: Context, viewer: Viewer, label: string): Promise<Difference | undefined> {
  const { state, stage } = context;
  const inside = searchAlbum(state, viewer, label);
  const photos = listPhotos(state, viewer).filter((photo) => !inside.includes(photo));
  return checkPhotoList(context, viewer, `/api/photos?q=-album:${stage.ids.get(label)}&`, done, photos);
}
