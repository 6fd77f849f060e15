import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertRead, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addPhoto, asVisitor, type Person, register, registerAdmin } from '../../support/people.ts';

const reactions = [
  { path: 'like', table: 'likes', is: 'is_liked', field: 'liked' },
  { path: 'favorite', table: 'favorites', is: 'is_favorited', field: 'favorited' },
] as const;

describe('likes and favorites', () => {
  let gallery: Gallery;
  let owner: Person;
  let fans: Person[];
  let admin: Person;

  before(async () => {
    gallery = await startGallery();
    owner = await register(gallery, 'owner');
    admin = await registerAdmin(gallery, 'admin');
    fans = await Promise.all(Array.from({ length: 10 }, (_, n) => register(gallery, `fan-${n}`)));
  });
  after(() => gallery.close());

  const countRows = async (table: 'likes' | 'favorites', id: number) =>
    (await gallery.deps.db.kysely.selectFrom(table).select('user_id').where('photo_id', '=', id).execute())
      .length;

  for (const { path, table, is, field } of reactions) {
    test(`${path}: sets and removes the reaction, and counts people`, async () => {
      const { id } = await addPhoto(owner, { title: path });
      const toggle = async (who: Person) => assertWritten(await who.post(`/api/photos/${id}/${path}`));
      assert.deepEqual(await toggle(fans[0]!), { [is]: true, [table]: 1 });
      assert.deepEqual(await toggle(fans[1]!), { [is]: true, [table]: 2 });
      assert.deepEqual(await toggle(owner), { [is]: true, [table]: 3 });
      assert.deepEqual(await toggle(fans[0]!), { [is]: false, [table]: 2 });
      assert.deepEqual(await toggle(fans[0]!), { [is]: true, [table]: 3 });

      const photo = assertRead(await fans[0]!.get(`/api/photos/${id}`));
      assert.deepEqual([photo[is], photo[table]], [true, 3]);
      const item = assertRead(await asVisitor(gallery).get(`/api/photos?keyword=${path}`)).list[0];
      assert.equal(item[table], 3);
      const other = reactions.find((one) => one.path !== path)!;
      assert.deepEqual([photo[other.is], photo[other.table]], [false, 0], 'the two are apart');
    });

    test(`${path}: fifty simultaneous requests of one person leave the first state`, async () => {
      const { id } = await addPhoto(owner, { title: 'stormed' });
      const answers = await Promise.all(
        Array.from({ length: 50 }, () => fans[0]!.post(`/api/photos/${id}/${path}`)),
      );
      const states = answers.map((answer) => assertWritten(answer));
      assert.equal(states.filter((state) => state[is] && state[table] === 1).length, 25);
      assert.equal(states.filter((state) => !state[is] && state[table] === 0).length, 25);
      const photo = assertRead(await fans[0]!.get(`/api/photos/${id}`));
      assert.deepEqual([photo[is], photo[table], await countRows(table, id)], [false, 0, 0]);
    });

    test(`${path}: counts simultaneous reactions of many people`, async () => {
      const { id } = await addPhoto(owner, { title: 'popular' });
      const storm = fans.flatMap((fan, n) => Array.from({ length: (n % 3) + 3 }, () => fan));
      const answers = await Promise.all(storm.map((fan) => fan.post(`/api/photos/${id}/${path}`)));
      for (const answer of answers) assert.ok(assertWritten(answer)[table] >= 0);
      const expected = fans.filter((_, n) => ((n % 3) + 3) % 2 === 1).length;
      const photo = assertRead(await asVisitor(gallery).get(`/api/photos/${id}`));
      assert.deepEqual([photo[table], await countRows(table, id)], [expected, expected]);
      for (const [n, fan] of fans.entries()) {
        assert.equal(assertRead(await fan.get(`/api/photos/${id}`))[is], ((n % 3) + 3) % 2 === 1);
      }
    });

    test(`${path}: setting the reaction repeatedly keeps the reaction set`, async () => {
      const { id } = await addPhoto(owner, { title: 'said' });
      const set = async (who: Person, wanted: unknown) =>
        assertWritten(await who.post(`/api/photos/${id}/${path}`, { [field]: wanted }));
      for (let n = 0; n < 3; n++) assert.deepEqual(await set(fans[0]!, true), { [is]: true, [table]: 1 });
      const notices = await assertRead(await owner.get('/api/notifications?limit=100'));
      const said = notices.list.filter((notice: { photo: { id: number } | null }) => notice.photo?.id === id);
      assert.equal(said.length, 1);
      assert.deepEqual(await set(fans[1]!, false), { [is]: false, [table]: 1 });
      for (let n = 0; n < 2; n++) assert.deepEqual(await set(fans[0]!, false), { [is]: false, [table]: 0 });
      // A value of null, like a missing value, toggles the state.
      assert.deepEqual(await set(fans[0]!, null), { [is]: true, [table]: 1 });
      const storm = Array.from({ length: 20 }, (_, n) => set(fans[0]!, n % 2 === 0));
      await Promise.all([...storm, ...fans.map((fan) => set(fan, true))]);
      assert.deepEqual(await set(fans[0]!, true), { [is]: true, [table]: fans.length });
      assert.equal(await countRows(table, id), fans.length);
      const bad = await fans[0]!.post(`/api/photos/${id}/${path}`, { [field]: 'yes' });
      assertRefused(bad, 400, 400, [field]);
    });

    test(`${path}: can be removed from a photo that is now hidden, but not set`, async () => {
      const { id } = await addPhoto(owner, { title: 'to be hidden' });
      const set = (who: Person, wanted: boolean) =>
        who.post(`/api/photos/${id}/${path}`, { [field]: wanted });
      assertWritten(await set(fans[0]!, true));
      await owner.put(`/api/photos/${id}`, { is_public: 0 });
      assert.deepEqual(assertWritten(await set(fans[0]!, true)), { [is]: true, [table]: 0 });
      // Sends the request twice, as a client does that lost the first response.
      for (let n = 0; n < 2; n++)
        assert.deepEqual(assertWritten(await set(fans[0]!, false)), { [is]: false, [table]: 0 });
      assertRefused(await set(fans[0]!, true), 403, 20004);
      assert.equal(await countRows(table, id), 0);
    });

    test(`${path}: is refused for a photo that the caller cannot see`, async () => {
      const { id } = await addPhoto(owner, { title: 'private', is_public: '0' });
      assertRefused(await fans[0]!.post(`/api/photos/${id}/${path}`), 403, 20004);
      assertRefused(await asVisitor(gallery).post(`/api/photos/${id}/${path}`), 401, 401);
      assertRefused(await fans[0]!.post(`/api/photos/999999/${path}`), 404, 20003);
      assertRefused(await fans[0]!.post(`/api/photos/x/${path}`), 400, 400, ['id']);
      assert.equal(await countRows(table, id), 0);
      assert.deepEqual(assertWritten(await owner.post(`/api/photos/${id}/${path}`)), {
        [is]: true,
        [table]: 1,
      });
      assert.deepEqual(assertWritten(await admin.post(`/api/photos/${id}/${path}`)), {
        [is]: true,
        [table]: 2,
      });
    });
  }

  test('lists can be sorted by likes and favorites', async () => {
    const add = () => addPhoto(owner, { title: 'ranked', tags: 'ranked' });
    const [none, two, one] = [await add(), await add(), await add()];
    for (const fan of fans.slice(0, 2)) await fan.post(`/api/photos/${two.id}/like`);
    await fans[0]!.post(`/api/photos/${one.id}/like`);
    for (const [order, expected] of [
      ['desc', [two.id, one.id, none.id]],
      ['asc', [none.id, one.id, two.id]],
    ] as const) {
      const { list } = assertRead(
        await asVisitor(gallery).get(`/api/photos?tag=ranked&sort=likes&order=${order}`),
      );
      assert.deepEqual(
        list.map(({ id }: { id: number }) => id),
        expected,
      );
    }
  });

  test('the server logged no error during these tests', () => assert.deepEqual(gallery.complaints(), []));
});
