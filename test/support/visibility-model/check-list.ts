/** Checks of lists, searches and counts. */
import {
  ask,
  type Check,
  type Context,
  compareCount,
  compareStatus,
  type Difference,
  findFirst,
} from './check.ts';
import { checkAlbumList } from './check-album-list.ts';
import { checkPhotoList } from './check-photo-list.ts';
import {
  listAlbums,
  listAllPhotos,
  listFeed,
  listLoosePhotos,
  listPhotos,
  listTrash,
  presentLevel,
} from './decide.ts';
import { done, type ModelAnswer, refusals } from './requests.ts';
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
      viewer,
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
      photos('lists the photos in no album', '/api/photos?album_id=0&', (state) =>
        listLoosePhotos(state, viewer),
      ),
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
      photos('lists the feed', '/api/feed?', (state) => listFeed(state, viewer), needsToken),
      check('lists the trash', (context) =>
        checkPhotoList(context, viewer, '/api/trash?', needsToken, listTrash(context.state, viewer), false),
      ),
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
    viewer,
    run,
  });
  const own = (state: State) => listPhotos(state, viewer).filter((photo) => photo.owner === owner);
  const problem = (state: State) =>
    isEnabled(state, owner) || (isAdmin(state, viewer) && state.accounts.has(owner))
      ? done
      : refusals.userNotFound;
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

function checkAdminList(context: Context, viewer: Viewer): Promise<Difference | undefined> {
  const { state } = context;
  const refusal = viewer === 'stranger' ? refusals.unauthenticated : refusals.forbidden;
  const wanted = isAdmin(state, viewer) ? done : refusal;
  return checkPhotoList(context, viewer, '/api/admin/photos?', wanted, listAllPhotos(state));
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
