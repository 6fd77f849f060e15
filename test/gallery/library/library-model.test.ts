/**
 * Random steps change the levels of albums, move and delete albums, move, trash and restore photos, and disable
 * and enable accounts. Background jobs run in random batches. At no time may a response show something that the
 * rules hide.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Transaction } from 'kysely';
import { createAlbum } from '../../../server/gallery/albums/create.ts';
import { addPhotos, removePhotos } from '../../../server/gallery/albums/photos/photos.ts';
import { deleteAlbum } from '../../../server/gallery/albums/update.ts';
import { setAlbumVisibility } from '../../../server/gallery/library/album-visibility.ts';
import { followAccount, followAlbum } from '../../../server/gallery/library/follow.ts';
import { runVisibilityJobs } from '../../../server/gallery/library/run-visibility-jobs.ts';
import { findParents } from '../../../server/gallery/library/tree.ts';
import { restorePhoto, trashPhoto } from '../../../server/gallery/photos/trash/trash.ts';
import { updatePhoto } from '../../../server/gallery/photos/update.ts';
import { setUserStatus } from '../../../server/gallery/users/follows/follows.ts';
import {
  type AccountStatus,
  Level,
  type LevelName,
  UserStatus,
  Visibility,
} from '../../../server/platform/db/states.ts';
import type { Tables } from '../../../server/platform/db/tables.ts';
import { checkSearch, checkTags } from '../../../server/tools/check/copies.ts';
import { checkCounters } from '../../../server/tools/check/counters.ts';
import { checkTotals } from '../../../server/tools/check/totals.ts';
import { checkVisibility } from '../../../server/tools/check/visibility.ts';
import { assertAlbumsConsistent } from '../../support/albums.ts';
import { assertRead } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addPhoto, asVisitor, type Person, register } from '../../support/people.ts';
import { createJpeg } from '../../support/pictures.ts';
import { createRandom } from '../../support/random.ts';
import { runChecks } from '../../support/run-checks.ts';
import { testSeed } from '../../support/seed.ts';
import { narrowest } from '../../support/visibility-model/levels.ts';
import { levels } from '../../support/visibility-model/state.ts';

const changes = 100;
const photosPerPerson = 12;

interface Photo {
  id: number;
  owner: Owner;
  thumb: string;
  level: LevelName;
  album: Album | undefined;
  isTrashed: boolean;
}

interface Album {
  id: number;
  owner: Owner;
  level: LevelName;
  parent: Album | undefined;
}

interface Owner {
  person: Person;
  isEnabled: boolean;
  photos: Photo[];
  albums: Album[];
}

let gallery: Gallery;
let anybody: Person;
let member: Person;
const owners: Owner[] = [];
/** Number of checks while photos of a hidden album were still waiting for their job. */
let aheadMet = 0;

before(async () => {
  gallery = await startGallery({}, { isIdle: true });
  anybody = asVisitor(gallery);
  member = await register(gallery, 'mia');
  const picture = await createJpeg({ width: 16, height: 16 });
  for (const name of ['ann', 'bea']) {
    const owner: Owner = { person: await register(gallery, name), isEnabled: true, photos: [], albums: [] };
    for (let n = 0; n < photosPerPerson; n++) {
      const { id, thumb } = await addPhoto(owner.person, { title: 'harbour', tags: 'model' }, picture);
      owner.photos.push({ id, owner, thumb, level: 'public', album: undefined, isTrashed: false });
    }
    for (let n = 0; n < 3; n++) await newAlbum(owner, undefined);
    owners.push(owner);
  }
});
after(() => gallery.close());

const createViewer = ({ person }: Owner) => ({ id: person.id, isAdmin: false, sessionId: 0 });

async function newAlbum(owner: Owner, parent: Album | undefined): Promise<void> {
  const album = { name: 'Album', is_public: 1 as const, parent_id: parent?.id ?? 0 };
  const id = await createAlbum(gallery.deps, createViewer(owner), album);
  owner.albums.push({ id, owner, level: 'public', parent });
}

/** Returns the narrowest level of the album and all albums above. */
function lineLevel(album: Album | undefined): LevelName {
  return album ? narrowest(album.level, lineLevel(album.parent)) : 'public';
}

const placedLevel = (photo: Photo) => narrowest(photo.level, lineLevel(photo.album));

/** Moves a photo on the model's side. A photo that leaves an album keeps the level that counted. */
function putInto(photo: Photo, album: Album | undefined): void {
  if (photo.album && photo.album !== album) photo.level = placedLevel(photo);
  photo.album = album;
}

/** Moves an album on the model's side. An album that leaves another one keeps the level that counted. */
function putUnder(album: Album, parent: Album | undefined): void {
  if (album.parent && album.parent !== parent) album.level = lineLevel(album);
  album.parent = parent;
}

/** Returns whether a viewer without own photos sees the photo, by the plain rules of levels. */
function isShown(photo: Photo, viewer: Person): boolean {
  if (photo.isTrashed || !photo.owner.isEnabled) return false;
  const level = placedLevel(photo);
  return level === 'public' || (level === 'members' && viewer === member);
}

function isIn(album: Album | undefined, other: Album): boolean {
  return album !== undefined && (album === other || isIn(album.parent, other));
}

test(`random changes show no hidden photo and leave exact totals (seed ${testSeed})`, async () => {
  const random = createRandom(testSeed);
  const { deps } = gallery;
  const transact = (work: (transaction: Transaction<Tables>) => Promise<void>) =>
    deps.db.kysely.transaction().execute(work);

  /** Changes an album like its owner does, with only a few of its photos in the same transaction. */
  const changeAlbum = async (album: Album, columns: { level: Level; parent_id?: number | null }) => {
    await transact(async (transaction) => {
      await deps.db.lock(transaction, { library: album.owner.person.id });
      await transaction.updateTable('albums').set(columns).where('id', '=', album.id).execute();
      await setAlbumVisibility(deps, transaction, album, random.below(2));
    });
  };
  const step = {
    async hideOrShow(album: Album) {
      album.level = random.pick(levels);
      await changeAlbum(album, { level: Level[album.level] });
    },
    async move(album: Album) {
      const parent = random.chance(0.4) ? undefined : random.pick(album.owner.albums);
      if (isIn(parent, album) || (await findParents(deps.db.kysely, parent?.id ?? null)).length > 5) return;
      putUnder(album, parent);
      await changeAlbum(album, { level: Level[album.level], parent_id: parent?.id ?? null });
    },
    async place(photo: Photo, album: Album) {
      const picked = new Set([photo, ...Array.from({ length: 5 }, () => random.pick(photo.owner.photos))]);
      const some = [...picked].filter(({ isTrashed }) => !isTrashed);
      const ids = some.map(({ id }) => id);
      if (ids.length > 0) await addPhotos(deps, createViewer(photo.owner), album.id, ids);
      for (const one of some) putInto(one, album);
    },
    async takeOut(photo: Photo) {
      if (!photo.album || photo.isTrashed) return;
      await removePhotos(deps, createViewer(photo.owner), photo.album.id, [photo.id]);
      putInto(photo, undefined);
    },
    async update(photo: Photo, album: Album) {
      if (photo.isTrashed) return;
      const isMoved = random.chance(0.5);
      const level = random.chance(0.7) ? random.pick(levels) : undefined;
      if (isMoved) putInto(photo, album);
      if (level) photo.level = level;
      await updatePhoto(deps, createViewer(photo.owner), photo.id, {
        tags: ['model', 'new'],
        ...(level && { visibility: level }),
        ...(isMoved && { album_id: album.id }),
      });
    },
    async trashOrRestore(photo: Photo) {
      const work = photo.isTrashed ? restorePhoto : trashPhoto;
      await work(deps, createViewer(photo.owner), photo.id);
      photo.isTrashed = !photo.isTrashed;
    },
    async disableOrEnable(owner: Owner) {
      owner.isEnabled = !owner.isEnabled;
      const status: AccountStatus = owner.isEnabled ? UserStatus.enabled : UserStatus.disabled;
      await transact((transaction) => setUserStatus(deps, transaction, owner.person.id, status));
    },
    async replaceAlbum(album: Album) {
      const { owner } = album;
      await deleteAlbum(deps, createViewer(owner), album.id);
      owner.albums.splice(owner.albums.indexOf(album), 1);
      for (const photo of owner.photos) if (photo.album === album) putInto(photo, undefined);
      for (const other of owner.albums) if (other.parent === album) putUnder(other, album.parent);
      await newAlbum(owner, random.chance(0.5) ? undefined : random.pick(owner.albums));
    },
  };

  for (let n = 0; n < changes; n++) {
    const owner = random.pick(owners);
    const photo = random.pick(owner.photos);
    const album = random.pick(owner.albums);
    const name = random.pick([
      ...(['hideOrShow', 'hideOrShow', 'hideOrShow', 'move', 'place', 'place', 'place'] as const),
      ...(['takeOut', 'update', 'trashOrRestore', 'disableOrEnable', 'replaceAlbum'] as const),
    ]);
    if (name === 'disableOrEnable') await step[name](owner);
    else if (name === 'hideOrShow' || name === 'move' || name === 'replaceAlbum') await step[name](album);
    else await step[name](photo, album);
    const context = `seed ${testSeed}, change ${n}: ${name} of photo ${photo.id}, album ${album.id}`;
    await assertNothingHiddenSeen(context, photo);
    // Runs none, some or all of the pending background jobs.
    for (let some = random.below(3); some > 0; some--) {
      const job = await findJob('album');
      if (job) await followAlbum(deps, job, 1 + random.below(2));
    }
    for (let job = random.chance(0.2) && (await findJob('account')); job; job = await findJob('account')) {
      await followAccount(deps, job);
    }
    await assertNothingHiddenSeen(`${context}, a batch later`, random.pick(owner.photos));
  }
  assert.ok(aheadMet > changes / 10, `hidden albums whose photos wait were met ${aheadMet} times`);
  await runVisibilityJobs(deps);
  await assertSettled();
});

/**
 * Asserts that at most the photos allowed by the rules are shown. Fewer may be shown while jobs are pending.
 */
async function assertNothingHiddenSeen(context: string, photo: Photo): Promise<void> {
  const pending = await whatWaits();
  for (const viewer of [anybody, member]) await assertHiddenFrom(viewer, pending, context, photo);
}

async function assertHiddenFrom(
  viewer: Person,
  pending: { toShow: boolean; accounts: boolean },
  text: string,
  photo: Photo,
): Promise<void> {
  const context = `${text}, seen by ${viewer.name}`;
  const all = owners.flatMap(({ photos }) => photos);
  const shown = new Set(all.filter((one) => isShown(one, viewer)).map(({ id }) => id));
  for (const query of [
    'limit=100',
    'limit=100&tag=model',
    'limit=100&keyword=harbour',
    'limit=100&sort=views',
  ]) {
    const { list, pagination } = assertRead(await viewer.get(`/api/photos?${query}`));
    const ids = list.map(({ id }: { id: number }) => id);
    assert.deepEqual(
      ids.filter((id: number) => !shown.has(id)),
      [],
      `${context}: ${query}`,
    );
    if (pending.toShow || pending.accounts) continue;
    // Hidden photos are not counted, even if their rows have not been updated yet.
    if (query === 'limit=100') assert.equal(pagination.total, shown.size, `${context}: the total`);
    assert.equal(ids.length, shown.size, `${context}: ${query} shows all that may be seen`);
  }
  const { status } = await viewer.get(`/api/photos/${photo.id}`);
  const image = await viewer.get(photo.thumb);
  if (!shown.has(photo.id)) {
    assert.equal(status, photo.isTrashed ? 404 : 403, `${context}: photo ${photo.id}`);
    assert.ok(image.status === 403 || image.status === 404, `${context}: image of photo ${photo.id}`);
  } else if (!pending.toShow && !pending.accounts) {
    assert.deepEqual([status, image.status], [200, 200], `${context}: photo ${photo.id}`);
  }
}

async function whatWaits(): Promise<{ toShow: boolean; accounts: boolean }> {
  const { kysely } = gallery.deps.db;
  const account = await findJob('account');
  const albums = await kysely
    .selectFrom('visibility_jobs')
    .innerJoin('albums', 'albums.id', 'visibility_jobs.id')
    .select('visibility')
    .where('kind', '=', 'album')
    .execute();
  if (albums.some(({ visibility }) => visibility !== Visibility.public)) aheadMet++;
  return {
    toShow: albums.some(({ visibility }) => visibility !== Visibility.private),
    accounts: account !== undefined,
  };
}

function findJob(kind: 'account' | 'album') {
  return gallery.deps.db.kysely
    .selectFrom('visibility_jobs')
    .select(['id', 'user_id'])
    .where('kind', '=', kind)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
}

async function assertSettled(): Promise<void> {
  const left = await gallery.deps.db.kysely.selectFrom('visibility_jobs').selectAll().execute();
  assert.deepEqual(left, []);
  for (const { photos } of owners) {
    for (const photo of photos) await assertNothingHiddenSeen(`seed ${testSeed}, in the end`, photo);
  }
  await assertAlbumsConsistent(gallery);
  assert.deepEqual(
    await runChecks(gallery, checkVisibility, checkTags, checkCounters, checkTotals, checkSearch),
    [],
  );
}
