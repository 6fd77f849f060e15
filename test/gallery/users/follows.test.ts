/**
 * Tests following a user: a toggle, two lists, and two counters that stay exact after simultaneous requests.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setUserStatus } from '../../../server/gallery/users/follows/follows.ts';
import { assertRead, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { asVisitor, disableAccount, type Person, register, registerAdmin } from '../../support/people.ts';

describe('following', () => {
  let gallery: Gallery;
  let people: Person[];

  before(async () => {
    gallery = await startGallery();
    people = [];
    for (const name of ['ann', 'bea', 'cyd', 'dot', 'eve']) people.push(await register(gallery, name));
  });
  after(() => gallery?.close());

  const follow = (who: Person, whom: Person) => who.post(`/api/users/${whom.id}/follow`);
  const home = async (whom: Person, who: Person = asVisitor(gallery)) =>
    assertRead(await who.get(`/api/users/${whom.id}`));
  const list = async (whom: Person, which: string, query = '') =>
    assertRead(await asVisitor(gallery).get(`/api/users/${whom.id}/${which}?${query}`));
  const namesIn = (page: { list: { username: string }[] }) => page.list.map(({ username }) => username);

  const followedIn = (page: { list: { username: string; is_following: boolean }[] }) =>
    namesIn({ list: page.list.filter(({ is_following }) => is_following) });

  async function assertExact(): Promise<void> {
    const rows = await gallery.deps.db.kysely.selectFrom('follows').selectAll().execute();
    for (const person of people) {
      const { stats } = await home(person);
      assert.equal(stats.followers, rows.filter(({ followee_id }) => followee_id === person.id).length);
      assert.equal(stats.following, rows.filter(({ follower_id }) => follower_id === person.id).length);
      for (const which of ['followers', 'following'] as const) {
        const page = await list(person, which);
        assert.deepEqual([page.list.length, page.pagination.total], [stats[which], stats[which]]);
      }
    }
  }

  test('is a toggle that both sides see', async () => {
    const [ann, bea] = people as [Person, Person];
    assert.deepEqual(assertWritten(await follow(ann, bea)), { is_following: true, followers: 1 });
    const seen = await home(bea, ann);
    assert.deepEqual([seen.is_following, seen.is_followed], [true, false]);
    const back = await home(ann, bea);
    assert.deepEqual([back.is_following, back.is_followed], [false, true]);
    assert.equal((await home(ann)).stats.following, 1);
    assert.deepEqual(assertWritten(await ann.post('/api/users/BEA/follow')), {
      is_following: false,
      followers: 0,
    });
    assert.equal((await home(bea, ann)).is_following, false);
    await assertExact();
  });

  test('said to be so, is so however often it is said', async () => {
    const [ann, bea] = people as [Person, Person];
    const set = async (following: unknown) =>
      assertWritten(await ann.post(`/api/users/${bea.id}/follow`, { following }));
    for (let n = 0; n < 3; n++) assert.deepEqual(await set(true), { is_following: true, followers: 1 });
    const { list: notices } = assertRead(await bea.get('/api/notifications?limit=100'));
    assert.equal(notices.filter(({ type }: { type: string }) => type === 'follow').length, 1);
    await Promise.all(Array.from({ length: 20 }, (_, n) => set(n % 2 === 0)));
    for (let n = 0; n < 2; n++) assert.deepEqual(await set(false), { is_following: false, followers: 0 });
    assert.deepEqual(await set(null), { is_following: true, followers: 1 });
    assert.deepEqual(await set(false), { is_following: false, followers: 0 });
    await assertExact();
  });

  test('is listed, the latest first, page by page', async () => {
    const [ann, ...others] = people as [Person, Person, Person, Person, Person];
    for (const other of others) {
      await follow(other, ann);
      gallery.travel(1);
    }
    const page = await list(ann, 'followers');
    assert.deepEqual(namesIn(page), ['eve', 'dot', 'cyd', 'bea']);
    assert.deepEqual(Object.keys(page.list[0]), ['id', 'username', 'nickname', 'avatar', 'is_following']);
    // A visitor follows nobody, so no entry is marked as followed.
    assert.deepEqual(followedIn(page), []);
    // In any user's list, the API marks the users whom the caller follows.
    await follow(ann, others[1]);
    assert.deepEqual(followedIn(assertRead(await ann.get(`/api/users/${ann.id}/followers`))), ['cyd']);
    assert.deepEqual(followedIn(assertRead(await others[0].get(`/api/users/${ann.id}/following`))), []);
    await follow(ann, others[1]);
    assert.deepEqual(namesIn(await list(ann, 'followers', 'limit=3&page=2')), ['bea']);
    assert.deepEqual(namesIn(await list(others[0], 'following')), ['ann']);
    assert.deepEqual(namesIn(await list(ann, 'following')), []);
    await assertExact();
  });

  test('is refused without a token and for oneself', async () => {
    const [ann] = people as [Person];
    assertRefused(await follow(ann, ann), 400, 50002);
    assertRefused(await ann.post('/api/users/ann/follow'), 400, 50002);
    assertRefused(await follow(asVisitor(gallery), ann), 401, 401);
    await assertExact();
  });

  test('everybody everybody at once leaves every count exact', async () => {
    for (let round = 0; round < 3; round++) {
      const storm = people.flatMap((who) =>
        people.filter((whom) => whom !== who).flatMap((whom, n) => Array((n % 3) + 1).fill([who, whom])),
      ) as [Person, Person][];
      const answers = await Promise.all(storm.map(([who, whom]) => follow(who, whom)));
      for (const answer of answers) assert.ok(assertWritten(answer).followers >= 0);
      await assertExact();
    }
  });

  test('does not count disabled accounts until they are enabled again', async () => {
    const [ann, bea, cyd] = people as [Person, Person, Person];
    const kysely = gallery.deps.db.kysely;
    for (const [who, whom] of [
      [bea, ann],
      [ann, bea],
    ] as const) {
      if (!(await home(whom, who)).is_following) await follow(who, whom);
    }
    const before = await Promise.all(people.map((person) => home(person)));
    await disableAccount(gallery, bea);
    await disableAccount(gallery, bea);
    for (const [which, total] of [
      ['followers', before[0].stats.followers - 1],
      ['following', before[0].stats.following - 1],
    ] as [string, number][]) {
      const page = await list(ann, which);
      assert.equal(page.pagination.total, total);
      assert.equal(page.list.length, total);
      assert.ok(!namesIn(page).includes('bea'));
    }
    assertRefused(await follow(cyd, bea), 404, 50001);
    assertRefused(await follow(bea, cyd), 401, 10006);
    await kysely.transaction().execute((transaction) => setUserStatus(gallery.deps, transaction, bea.id, 1));
    assert.deepEqual(await Promise.all(people.map((person) => home(person))), before);
    await assertExact();
  });

  test('tells whom one follows, once, and takes it back', async () => {
    const [ann, , cyd] = people as [Person, Person, Person];
    const told = async () => {
      const rows = await gallery.deps.db.kysely
        .selectFrom('notifications')
        .select(['type', 'actor_id'])
        .where('user_id', '=', cyd.id)
        .where('actor_id', '=', ann.id)
        .execute();
      return rows.map((row) => ({ ...row }));
    };
    if ((await home(cyd, ann)).is_following) await follow(ann, cyd);
    assert.deepEqual(await told(), []);
    await follow(ann, cyd);
    assert.deepEqual(await told(), [{ type: 'follow', actor_id: ann.id }]);
    await follow(ann, cyd);
    assert.deepEqual(await told(), []);
    await assertExact();
  });

  test('ends when an account is deleted', async () => {
    const [ann, , , , eve] = people as [Person, Person, Person, Person, Person];
    const admin = await registerAdmin(gallery, 'admin');
    await follow(admin, ann);
    await disableAccount(gallery, admin);
    await gallery.deps.db.kysely.deleteFrom('users').where('id', '=', admin.id).execute();
    await assertExact();
    assert.ok((await list(eve, 'followers')).pagination.total >= 0);
  });

  test('the server logged no error during these tests', () => assert.deepEqual(gallery.complaints(), []));
});
