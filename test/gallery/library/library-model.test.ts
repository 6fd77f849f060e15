/**
 * Random steps change the levels of albums and photos, move and delete albums, move, trash and restore photos, and
 * disable and enable accounts. Background jobs run in random batches. At no time may a response show something that
 * the rules hide, and every level must be the one that the rules give.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Transaction } from 'kysely';
import { createAlbum } from '../../../server/gallery/albums/create.ts';
import { deleteAlbum, updateAlbum } from '../../../server/gallery/albums/update.ts';
import { setAlbumVisibility } from '../../../server/gallery/library/album-visibility.ts';
import {
  updateAccountVisibilityBatch,
  updateAlbumVisibilityBatch,
} from '../../../server/gallery/library/follow.ts';
import { runVisibilityJobs } from '../../../server/gallery/library/run-visibility-jobs.ts';
import { findParentAlbums } from '../../../server/gallery/library/tree.ts';
import {
  addPhotosToAlbum,
  removePhotosFromAlbum,
} from '../../../server/gallery/photos/albums/add-and-remove.ts';
import { restorePhoto, trashPhoto } from '../../../server/gallery/photos/trash/trash.ts';
import { updatePhoto } from '../../../server/gallery/photos/update.ts';
import { setUserStatus } from '../../../server/gallery/users/follows/follows.ts';
import { type AccountStatus, Level, type LevelName, UserStatus } from '../../../server/platform/db/states.ts';
import type { Tables } from '../../../server/platform/db/tables.ts';
import { checkPhotoTags, checkSearch } from '../../../server/tools/check/copies.ts';
import { checkCounters } from '../../../server/tools/check/counters.ts';
import { checkTotals } from '../../../server/tools/check/totals.ts';
import { checkVisibility } from '../../../server/tools/check/visibility.ts';
import { assertAlbumsConsistent } from '../../support/albums.ts';
import { assertRead } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addPhoto, asVisitor, type Person, register, registerAdmin } from '../../support/people.ts';
import { createJpeg } from '../../support/pictures.ts';
import { createRandom } from '../../support/random.ts';
import { runChecks } from '../../support/run-checks.ts';
import { testSeed } from '../../support/seed.ts';
import {
  type Album,
  effectiveLevel,
  isIn,
  isWider,
  levels,
  movePhoto,
  type Owner,
  type Photo,
  widestIn,
} from './level-model.ts';
import { findJob, findPending } from './pending-jobs.ts';

const changes = 160;
const photosPerPerson = 12;

let gallery: Gallery;
/** People who own nothing, with the narrowest level that they see. */
const viewers: { person: Person; narrowest: LevelName }[] = [];
const owners: Owner[] = [];
/** Number of checks while photos of a narrowed album were still waiting for their job. */
let aheadMet = 0;

before(async () => {
  gallery = await startGallery({}, { isIdle: true });
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
  viewers.push(
    { person: asVisitor(gallery), narrowest: 'public' },
    { person: await register(gallery, 'member'), narrowest: 'members' },
    { person: await registerAdmin(gallery, 'admin'), narrowest: 'members' },
  );
});
after(() => gallery.close());

const createViewer = ({ person }: Owner) => ({ id: person.id, isAdmin: false, sessionId: 0 });

async function newAlbum(owner: Owner, parent: Album | undefined): Promise<void> {
  const album = { name: 'Album', is_public: 1 as const, parent_id: parent?.id ?? 0 };
  const id = await createAlbum(gallery.deps, createViewer(owner), album);
  owner.albums.push({ id, owner, level: 'public', parent });
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
    async setLevel(album: Album) {
      album.level = random.pick(levels.filter((level) => level !== album.level));
      await changeAlbum(album, { level: Level[album.level] });
    },
    async move(album: Album) {
      const parent = random.chance(0.4) ? undefined : random.pick(album.owner.albums);
      if (isIn(parent, album) || (await findParentAlbums(deps.db.kysely, parent?.id ?? null)).length > 5)
        return;
      const named = random.chance(0.2) ? random.pick(levels) : undefined;
      if (named) album.level = named;
      else if (album.parent && album.parent !== parent) album.level = widestIn(album);
      album.parent = parent;
      const parent_id = parent?.id ?? null;
      if (random.chance(0.3)) await changeAlbum(album, { parent_id, level: Level[album.level] });
      else {
        const change = { parent_id: parent_id ?? 0, ...(named && { visibility: named }) };
        await updateAlbum(deps, createViewer(album.owner), album.id, change);
      }
    },
    async place(photo: Photo, album: Album) {
      const picked = new Set([photo, ...Array.from({ length: 5 }, () => random.pick(photo.owner.photos))]);
      const some = [...picked].filter(({ isTrashed }) => !isTrashed);
      const ids = some.map(({ id }) => id);
      if (ids.length > 0)
        await addPhotosToAlbum(deps, createViewer(photo.owner), album.id, { ids, move: true });
      for (const one of some) movePhoto(one, album);
    },
    async takeOut(photo: Photo) {
      if (!photo.album || photo.isTrashed) return;
      await removePhotosFromAlbum(deps, createViewer(photo.owner), photo.album.id, [photo.id]);
      movePhoto(photo, undefined);
    },
    async update(photo: Photo, album: Album) {
      if (photo.isTrashed) return;
      const named = random.pick(['visibility', 'is_public', undefined]);
      const level = random.pick([...levels, 'public', 'public'] as const);
      const isMoved = random.chance(0.3);
      const isPublic = level === 'public';
      const keepsLevel =
        named === undefined || (named === 'is_public' && !isPublic && photo.level === 'members');
      if (isMoved) movePhoto(photo, album);
      if (!keepsLevel) photo.level = named === 'visibility' || isPublic ? level : 'private';
      await updatePhoto(deps, createViewer(photo.owner), photo.id, {
        tags: ['model', 'new'],
        ...(named === 'visibility' && { visibility: level }),
        ...(named === 'is_public' && { is_public: isPublic ? 1 : 0 }),
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
      for (const photo of owner.photos) if (photo.album === album) movePhoto(photo, undefined);
      for (const other of owner.albums) {
        if (other.parent !== album) continue;
        other.level = widestIn(other);
        other.parent = album.parent;
      }
      await newAlbum(owner, random.chance(0.5) ? undefined : random.pick(owner.albums));
    },
  };

  // Photos that leave an album become narrower. Many updates make photos wide again, so that narrowing hides some.
  const updates = Array.from({ length: 12 }, () => 'update' as const);
  for (let n = 0; n < changes; n++) {
    const owner = random.pick(owners);
    const photo = random.pick(owner.photos);
    const album = random.pick(owner.albums);
    const name = random.pick([
      ...(['setLevel', 'setLevel', 'setLevel', 'move', 'place', 'place', 'place'] as const),
      ...(['takeOut', ...updates, 'trashOrRestore', 'disableOrEnable', 'replaceAlbum'] as const),
    ]);
    if (name === 'disableOrEnable') await step[name](owner);
    else if (name === 'setLevel' || name === 'move' || name === 'replaceAlbum') await step[name](album);
    else await step[name](photo, album);
    const context = `seed ${testSeed}, change ${n}: ${name} of photo ${photo.id}, album ${album.id}`;
    await assertLevels(context);
    await assertNothingHiddenSeen(context, photo, random.pick(viewers));
    // Runs none, some or all of the pending background jobs.
    for (let some = random.below(3); some > 0; some--) {
      const job = await findJob(gallery, 'album');
      if (job) await updateAlbumVisibilityBatch(deps, job, 1 + random.below(2));
    }
    for (
      let job = random.chance(0.2) && (await findJob(gallery, 'account'));
      job;
      job = await findJob(gallery, 'account')
    ) {
      await updateAccountVisibilityBatch(deps, job);
    }
    await assertNothingHiddenSeen(
      `${context}, a batch later`,
      random.pick(owner.photos),
      random.pick(viewers),
    );
  }
  assert.ok(aheadMet > changes / 20, `narrowed albums whose photos wait were met ${aheadMet} times`);
  await runVisibilityJobs(deps);
  await assertSettled();
});

/** Asserts that the rows have the levels of the model. */
async function assertLevels(context: string): Promise<void> {
  const { kysely } = gallery.deps.db;
  const models = {
    photos: owners.flatMap(({ photos }): { id: number; level: LevelName }[] => photos),
    albums: owners.flatMap(({ albums }): { id: number; level: LevelName }[] => albums),
  };
  for (const table of ['photos', 'albums'] as const) {
    const rows = await kysely.selectFrom(table).select(['id', 'level']).execute();
    const stored = new Map(rows.map(({ id, level }) => [id, level]));
    assert.equal(stored.size, models[table].length);
    for (const { id, level } of models[table]) {
      assert.equal(stored.get(id), Level[level], `${context}: level of ${id} in ${table}`);
    }
  }
}

/**
 * Asserts that at most the photos allowed by the rules are shown. Fewer may be shown while jobs are pending.
 */
async function assertNothingHiddenSeen(
  context: string,
  photo: Photo,
  { person, narrowest }: (typeof viewers)[number],
): Promise<void> {
  const isShown = (one: Photo) => !one.isTrashed && !isWider(narrowest, effectiveLevel(one));
  const all = owners.flatMap(({ photos }) => photos);
  const shown = new Set(all.filter(isShown).map(({ id }) => id));
  const pending = await findPending(gallery, owners);
  if (pending.toHide) aheadMet++;
  const where = `${context}, seen by ${person.name}`;
  for (const query of [
    'limit=100',
    'limit=100&tag=model',
    'limit=100&keyword=harbour',
    'limit=100&sort=views',
  ]) {
    const { list, pagination } = assertRead(await person.get(`/api/photos?${query}`));
    const ids = list.map(({ id }: { id: number }) => id);
    assert.deepEqual(
      ids.filter((id: number) => !shown.has(id)),
      [],
      `${where}: ${query}`,
    );
    if (pending.toShow || pending.accounts) continue;
    // Hidden photos are not counted, even if their rows have not been updated yet.
    if (query === 'limit=100') assert.equal(pagination.total, shown.size, `${where}: the total`);
    assert.equal(ids.length, shown.size, `${where}: ${query} shows all that may be seen`);
  }
  const { status } = await person.get(`/api/photos/${photo.id}`);
  const image = await person.get(photo.thumb.split('?')[0]!);
  // An admin can open single photos that no list of the admin shows.
  const isOpened = isShown(photo) || (person.name === 'admin' && !photo.isTrashed);
  if (!isOpened) {
    assert.equal(status, photo.isTrashed ? 404 : 403, `${where}: photo ${photo.id}`);
    assert.ok(image.status === 403 || image.status === 404, `${where}: image of photo ${photo.id}`);
  } else if (!pending.toShow && !pending.accounts) {
    assert.deepEqual([status, image.status], [200, 200], `${where}: photo ${photo.id}`);
  }
}

async function assertSettled(): Promise<void> {
  const left = await gallery.deps.db.kysely.selectFrom('visibility_jobs').selectAll().execute();
  assert.deepEqual(left, []);
  for (const { photos } of owners) {
    for (const photo of photos) {
      for (const viewer of viewers)
        await assertNothingHiddenSeen(`seed ${testSeed}, in the end`, photo, viewer);
    }
  }
  await assertAlbumsConsistent(gallery);
  assert.deepEqual(
    await runChecks(gallery, checkVisibility, checkPhotoTags, checkCounters, checkTotals, checkSearch),
    [],
  );
}
