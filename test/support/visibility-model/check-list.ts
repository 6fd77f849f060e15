/** Checks of lists, searches and counts. */
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
import { listAlbums, listAllPhotos, listPhotos, listTrash, presentLevel } from './decide.ts';
import { done, type ModelAnswer, refusals } from './requests.ts';
import { findLabel } from './stage.ts';
import {
  isAdmin,
  isEnabled,
  type Name,
  names,
  type Photo,
  type State,
  type Viewer,
  viewers,
} from './state.ts';

export function createListChecks(): Check[] {
  return viewers.flatMap((viewer) => {
    const check = (does: string, run: (context: Context) => Promise<Difference | undefined>): Check => ({
      name: `${viewer} ${does}`,
      run,
    });
    const photos = (
      does: string,
      path: string,
      choose: (state: State) => Photo[],
      problem: ModelAnswer = done,
    ) => check(does, (context) => checkPhotoList(context, viewer, path, problem, choose(context.state)));
    const all = (state: State) => listPhotos(state, viewer);
    const needsToken = viewer === 'stranger' ? refusals.unauthenticated : done;
    return [
      photos('lists all photos', '/api/photos?', all),
      photos('searches a word', '/api/photos?keyword=harbour&', all),
      photos('searches a word and a tag', '/api/photos?q=harbour%20tag:model&', all),
      photos('filters by a tag', '/api/photos?tag=model&', all),
      photos('filters by is_public=1', '/api/photos?is_public=1&', (state) => listByField(state, viewer, 1)),
      photos(
        'filters by is_public=0',
        '/api/photos?is_public=0&',
        (state) => listByField(state, viewer, 0),
        needsToken,
      ),
      photos(
        'lists the feed',
        '/api/feed?',
        (state) => all(state).filter(({ owner }) => owner !== viewer),
        needsToken,
      ),
      photos('lists the trash', '/api/trash?', (state) => listTrash(state, viewer), needsToken),
      check('lists the photos of the administration', (context) => checkAdminList(context, viewer)),
      check('lists all albums', (context) => checkAlbumList(context, viewer, '/api/albums?', done, names)),
      check('counts tags', (context) => checkTags(context, viewer)),
      check('counts months', (context) => checkMonths(context, viewer)),
      check('counts users', (context) => checkUsers(context, viewer)),
      ...names.flatMap((owner) => createOwnerChecks(viewer, owner)),
    ];
  });
}

function createOwnerChecks(viewer: Viewer, owner: Name): Check[] {
  const check = (does: string, run: (context: Context) => Promise<Difference | undefined>): Check => ({
    name: `${viewer} ${does} of ${owner}`,
    run,
  });
  const own = (state: State) => listPhotos(state, viewer).filter((photo) => photo.owner === owner);
  const problem = (state: State) =>
    isEnabled(state, owner) || isAdmin(state, viewer) ? done : refusals.userNotFound;
  return [
    check('lists the photos', (context) =>
      checkPhotoList(
        context,
        viewer,
        `/api/users/${owner}/photos?`,
        problem(context.state),
        own(context.state),
      ),
    ),
    check('lists the albums', (context) =>
      checkAlbumList(context, viewer, `/api/users/${owner}/albums?`, problem(context.state), [owner]),
    ),
    check('opens the home', (context) => checkHome(context, viewer, owner, problem(context.state))),
    ...([0, 1] as const).map((field) =>
      check(`filters by is_public=${field} photos`, (context) => {
        const path = `/api/photos?user_id=${context.stage.ids.get(owner)}&is_public=${field}&`;
        const isRefused = field === 0 && viewer === 'stranger';
        const found = own(context.state).filter((photo) => presentLevel(photo).is_public === field);
        return checkPhotoList(context, viewer, path, isRefused ? refusals.unauthenticated : done, found);
      }),
    ),
  ];
}

/** Returns the photos of a list with `is_public` alone: with a token those of the caller. */
function listByField(state: State, viewer: Viewer, field: 0 | 1): Photo[] {
  return listPhotos(state, viewer)
    .filter(({ owner }) => viewer === 'stranger' || owner === viewer)
    .filter((photo) => presentLevel(photo).is_public === field);
}

/** Compares the photos of a list with their levels, and its total. */
export async function checkPhotoList(
  context: Context,
  viewer: Viewer,
  path: string,
  wanted: ModelAnswer,
  photos: Photo[],
): Promise<Difference | undefined> {
  const answer = await ask(context, viewer, `${path}limit=100`);
  const differs = compareStatus(context, viewer, answer, wanted);
  if (differs || answer.status !== 200) return differs;
  const { list, pagination } = answer.body.data;
  type Item = { id: number; visibility: string; is_public: number };
  const label = ({ id }: Item) => findLabel(context.stage, 'photo', id);
  const levels = list.map((item: Item) => {
    const { visibility, is_public } = item;
    const found = photos.find((photo) => photo.label === label(item));
    return (
      found && compareValues(`the level of ${found.label}`, { visibility, is_public }, presentLevel(found))
    );
  });
  return findFirst(
    compareLabels(list.map(label), listLabels(photos)),
    compareCount(context, 'the total', pagination.total, photos.length),
    ...levels,
  );
}

function checkAdminList(context: Context, viewer: Viewer): Promise<Difference | undefined> {
  const { state } = context;
  const refusal = viewer === 'stranger' ? refusals.unauthenticated : refusals.forbidden;
  const wanted = isAdmin(state, viewer) ? done : refusal;
  return checkPhotoList(context, viewer, '/api/admin/photos?', wanted, listAllPhotos(state));
}

async function checkAlbumList(
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
  const { list, pagination } = answer.body.data;
  type Item = { id: number; photo_count: number };
  const counts = list.map(({ id, photo_count }: Item) => {
    const label = findLabel(stage, 'album', id);
    const photos = listPhotos(state, viewer).filter(({ album }) => album === label);
    return compareCount(context, `photo_count of ${label}`, photo_count, photos.length);
  });
  return findFirst(
    compareLabels(
      list.map(({ id }: Item) => findLabel(stage, 'album', id)),
      listLabels(albums),
    ),
    compareCount(context, 'the total', pagination.total, albums.length),
    ...counts,
  );
}

async function checkHome(
  context: Context,
  viewer: Viewer,
  owner: Name,
  wanted: ModelAnswer,
): Promise<Difference | undefined> {
  const answer = await ask(context, viewer, `/api/users/${owner}`);
  const differs = compareStatus(context, viewer, answer, wanted);
  if (differs || answer.status !== 200) return differs;
  const { photos, albums } = answer.body.data.stats;
  const isOwn = (one: { owner: Name }) => one.owner === owner;
  return findFirst(
    compareCount(
      context,
      'the count of photos',
      photos,
      listPhotos(context.state, viewer).filter(isOwn).length,
    ),
    compareCount(
      context,
      'the count of albums',
      albums,
      listAlbums(context.state, viewer).filter(isOwn).length,
    ),
  );
}

async function checkTags(context: Context, viewer: Viewer): Promise<Difference | undefined> {
  const answer = await ask(context, viewer, '/api/tags?limit=100');
  const differs = compareStatus(context, viewer, answer, done);
  if (differs || answer.status !== 200) return differs;
  const { list }: { list: { name: string; count: number }[] } = answer.body.data;
  const count = list.find(({ name }) => name === 'model')?.count ?? 0;
  return compareCount(context, 'the count of the tag', count, listPhotos(context.state, viewer).length);
}

async function checkMonths(context: Context, viewer: Viewer): Promise<Difference | undefined> {
  const answer = await ask(context, viewer, '/api/timeline?by=create_time');
  const differs = compareStatus(context, viewer, answer, done);
  if (differs || answer.status !== 200) return differs;
  const { list }: { list: { count: number }[] } = answer.body.data;
  const sum = list.reduce((total, { count }) => total + count, 0);
  return compareCount(context, 'the sum of all months', sum, listPhotos(context.state, viewer).length);
}

async function checkUsers(context: Context, viewer: Viewer): Promise<Difference | undefined> {
  const answer = await ask(context, viewer, '/api/facets');
  const differs = compareStatus(context, viewer, answer, done);
  if (differs || answer.status !== 200) return differs;
  const { users }: { users: { user: { username: string }; count: number }[] } = answer.body.data;
  const photos = listPhotos(context.state, viewer);
  return findFirst(
    ...names.map((name) => {
      const seen = users.find(({ user }) => user.username === name)?.count ?? 0;
      return compareCount(
        context,
        `the count of ${name}`,
        seen,
        photos.filter(({ owner }) => owner === name).length,
      );
    }),
  );
}
