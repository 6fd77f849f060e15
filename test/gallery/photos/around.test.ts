/**
 * The position of a photo in a list is exact after any change, and does not reveal photos that the viewer
 * cannot see.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { runVisibilityJobs } from '../../../server/gallery/library/run-visibility-jobs.ts';
import { setUserStatus } from '../../../server/gallery/users/follows/follows.ts';
import { Level, type LevelName, UserStatus } from '../../../server/platform/db/states.ts';
import { assertDone, assertRead } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addAlbum, asVisitor, type Person, register, registerAdmin } from '../../support/people.ts';
import { setPhoto } from '../../support/photo-counters.ts';
import { createRandom } from '../../support/random.ts';
import { testSeed } from '../../support/seed.ts';
import { addBlank, randomValues } from './blank-photos.ts';

const rounds = 40;
const levelNames: LevelName[] = ['private', 'members', 'public'];
const levels = [Level.private, Level.members, Level.public, Level.public];
const sorts = ['views', 'likes', 'favorites', 'downloads', 'size', 'update_time', 'title'];

describe(`places in lists (seed ${testSeed})`, () => {
  const random = createRandom(testSeed);
  const { below, chance, pick } = random;
  let gallery: Gallery;
  let owners: Person[];
  let viewers: Person[];
  let album: number;
  let ids: number[];
  /** The person whose account is disabled. Photos of a disabled account cannot be changed over HTTP. */
  let disabled: Person | undefined;

  before(async () => {
    gallery = await startGallery();
    owners = [await register(gallery, 'ann'), await register(gallery, 'bea')];
    viewers = [...owners, await registerAdmin(gallery, 'root'), asVisitor(gallery)];
    album = await addAlbum(owners[0]!, 'Hidden and shown');
    ids = [];
    for (let n = 0; n < 110; n++) ids.push(await addBlank(gallery, owners[below(2)]!.id, random));
  });
  after(() => gallery.close());

  const changes: (() => Promise<unknown>)[] = [
    async () => ids.push(await addBlank(gallery, pick(owners.filter((one) => one !== disabled)).id, random)),
    () => set(pick(ids)),
    () => set(pick(ids)),
    () => set(pick(ids)),
    () => ask((owner, id) => owner.put(`/api/photos/${id}`, { visibility: pick(levelNames) })),
    () => ask((owner, id) => owner.put(`/api/photos/${id}`, { title: `New ${below(9)}` })),
    () => ask((owner, id) => owner.delete(`/api/photos/${id}`)),
    () => ask((owner, id) => owner.post(`/api/photos/${id}/restore`)),
    () => ask((owner, id) => owner.delete(`/api/trash/${id}`)),
    () => ask((owner, id) => owner.post(`/api/photos/${id}/like`)),
    () => owners[0]!.post(`/api/albums/${album}/photos`, { ids: [pick(ids)] }),
    () => owners[0]!.put(`/api/albums/${album}`, { visibility: pick(levelNames) }),
    changeAccount,
  ];

  /**
   * Sends a change of a random photo. The server may refuse the change, because the photo belongs to another
   * user or was deleted.
   */
  async function ask(change: (owner: Person, id: number) => Promise<unknown>): Promise<void> {
    await change(pick(owners), pick(ids));
  }

  async function set(id: number): Promise<void> {
    await setPhoto(gallery.deps.db.kysely, id, randomValues(random));
  }

  async function changeAccount(): Promise<void> {
    if (chance(0.7)) return;
    const [whom, status] = disabled ? [disabled, UserStatus.enabled] : [owners[1]!, UserStatus.disabled];
    disabled = disabled ? undefined : whom;
    const { kysely } = gallery.deps.db;
    await kysely
      .transaction()
      .execute((transaction) => setUserStatus(gallery.deps, transaction, whom.id, status));
    await runVisibilityJobs(gallery.deps);
  }

  async function assertPlaces(context: string): Promise<void> {
    const who = pick(viewers.filter((one) => one !== disabled));
    const order = pick(['asc', 'desc'] as const);
    const sort = pick(sorts);
    const whose = chance(0.3) ? `&user_id=${pick(owners).id}` : '';
    const list = `/api/photos?sort=${sort}&order=${order}${whose}`;
    const all = await readIds(who, list);
    for (let n = 0; n < 4 && all.length > 0; n++) {
      const around = pick(all);
      const { pagination } = assertRead(await who.get(`${list}&limit=1&around=${around}`));
      assert.equal(pagination.page, all.indexOf(around) + 1, `${context}: ${who.name}, ${list}, ${around}`);
    }
  }

  async function readIds(who: Person, list: string): Promise<number[]> {
    const found: number[] = [];
    for (let page = 1; ; page++) {
      const { list: photos, pagination } = assertRead(await who.get(`${list}&limit=100&page=${page}`));
      found.push(...photos.map(({ id }: { id: number }) => id));
      if (page >= pagination.pages) return found;
    }
  }

  test('the page around a photo equals the page of the whole list', async () => {
    for (let round = 0; round < rounds; round++) {
      for (let n = below(12); n >= 0; n--) await pick(changes)();
      await assertPlaces(`seed ${testSeed}, round ${round}`);
    }
  });
});

describe('a place in a list', () => {
  const random = createRandom(7);
  let gallery: Gallery;
  let owner: Person;
  let friend: Person;

  before(async () => {
    gallery = await startGallery();
    owner = await register(gallery, 'owner');
    friend = await register(gallery, 'friend');
    for (let n = 0; n < 60; n++) await addBlank(gallery, owner.id, random, levels[n % 4]);
  });
  after(() => gallery.close());

  const findPlace = async (who: Person, id: number) =>
    assertRead(await who.get(`/api/photos?sort=views&order=asc&limit=1&around=${id}`)).pagination.page;

  test('the page around a photo reveals no photos that the viewer cannot see', async () => {
    const visitor = asVisitor(gallery);
    const shown = assertRead(await visitor.get('/api/photos?sort=views&limit=1')).list[0].id;
    const before = [await findPlace(visitor, shown), await findPlace(friend, shown)];
    const place = await findPlace(owner, shown);
    const secrets: number[] = [];
    for (let n = 0; n < 3; n++) secrets.push(await addBlank(gallery, owner.id, random, Level.private));
    for (const id of secrets) await setPhoto(gallery.deps.db.kysely, id, { views: 0 });
    assert.deepEqual([await findPlace(visitor, shown), await findPlace(friend, shown)], before);
    assert.equal(await findPlace(owner, shown), place + 3);
    const hidden = await visitor.get(`/api/photos?sort=views&limit=1&around=${secrets[0]}`);
    assert.equal(hidden.body.code, 20003);
    for (const id of secrets) {
      assertDone(await owner.delete(`/api/photos/${id}`));
      assertDone(await owner.delete(`/api/trash/${id}`));
    }
    assert.equal(await findPlace(owner, shown), place);
    const club = await addBlank(gallery, owner.id, random, Level.members);
    await setPhoto(gallery.deps.db.kysely, club, { views: 0 });
    const now = await Promise.all([visitor, friend, owner].map((who) => findPlace(who, shown)));
    assert.deepEqual(now, [before[0], before[1] + 1, place + 1]);
    const refused = await visitor.get(`/api/photos?sort=views&limit=1&around=${club}`);
    assert.equal(refused.body.code, 20003);
  });
});
