/**
 * Tests that a user can delete an own account with its password. The only condition is that one admin
 * remains.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { getUser } from '../../../server/gallery/identity/users.ts';
import { testRights } from '../../contract/steps/rights-walk.ts';
import { assertDone, assertRead, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { eventually } from '../../support/gallery-counts.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import {
  type Answer,
  addAlbum,
  addPhoto,
  asVisitor,
  createPerson,
  logIn,
  type Person,
  password,
  register,
  registerAdmin,
} from '../../support/people.ts';

const leave = (who: Person, secret = password): Promise<Answer> =>
  who.send('DELETE', '/api/auth/user', {
    body: JSON.stringify({ password: secret }),
    headers: { 'Content-Type': 'application/json' },
  });

testRights([
  {
    endpoint: 'DELETE /api/auth/user',
    codes: [401, 10005, 10005, 10006, 10005],
    ask: (who) => leave(who, 'wrong'),
  },
]);

describe("deleting one's own account", () => {
  let gallery: Gallery;
  let root: Person;

  before(async () => {
    gallery = await startGallery();
    root = await registerAdmin(gallery, 'root');
  });
  after(() => gallery.close());

  test('removes its figures from the months and the total with the response', async () => {
    const { kysely } = gallery.deps.db;
    const first = await register(gallery, 'first');
    const bea = await register(gallery, 'bea');
    for (const who of [first, first, first, bea]) await addPhoto(who, { title: 'Public' });
    const count = async () => {
      const { list } = assertRead(await asVisitor(gallery).get('/api/timeline'));
      const { pagination } = assertRead(await asVisitor(gallery).get('/api/photos'));
      return [list.reduce((sum: number, month: { count: number }) => sum + month.count, 0), pagination.total];
    };
    assert.deepEqual(await count(), [4, 4]);
    // Marks another account as deleted: the background job handles that account first, so Bea's rows still
    // exist after the response.
    await kysely.updateTable('users').set({ status: -1 }).where('id', '=', first.id).execute();
    const hidden = kysely.selectFrom('photos').select('id').where('user_id', '=', bea.id);
    assertDone(await leave(bea));
    const shown = await hidden.where('visibility', '=', 2).execute();
    assert.deepEqual(shown, []);
    await eventually(async () => assert.deepEqual(await count(), [0, 0]));
  });

  test('deletes everything in all sessions and with all keys, frees the name, and is logged', async () => {
    const ann = await register(gallery, 'ann');
    const elsewhere = await logIn(gallery, ann);
    const { token } = assertWritten(
      await ann.post('/api/auth/tokens', { name: 'key', scopes: ['read', 'write'] }),
    );
    const robot = createPerson(gallery, 'robot', token, ann.id);
    await addAlbum(ann, 'Hers');
    const photo = await addPhoto(ann, { title: 'Hers' });
    assertDone(await leave(ann));
    for (const who of [ann, elsewhere, robot]) assertRefused(await who.get('/api/auth/user'), 401, 10006);
    assertRefused(
      await asVisitor(gallery).post('/api/auth/login', { username: 'ann', password }),
      401,
      10003,
    );
    const [entry] = assertRead(await root.get('/api/admin/logs?action=user.delete')).list;
    assert.deepEqual([entry.actor.username, entry.target.name, entry.details.photos], ['ann', 'ann', 1]);
    await eventually(async () => {
      const { kysely } = gallery.deps.db;
      assert.equal(
        await kysely.selectFrom('users').select('id').where('id', '=', ann.id).executeTakeFirst(),
        undefined,
      );
    });
    await register(gallery, 'ann');
    assertRefused(await asVisitor(gallery).get(`/api/photos/${photo.id}`), 404, 20003);
    assert.deepEqual(gallery.complaints(), []);
  });

  test('needs the password, and is refused to API keys', async () => {
    const bob = await register(gallery, 'bob');
    assertRefused(await leave(bob, 'wrong'), 400, 10005);
    assertRefused(await bob.delete('/api/auth/user'), 400, 400, ['body', 'password']);
    const { token } = assertWritten(
      await bob.post('/api/auth/tokens', { name: 'key', scopes: ['read', 'write'] }),
    );
    assertRefused(await leave(createPerson(gallery, 'robot', token, bob.id)), 403, 403);
    assertRead(await bob.get('/api/auth/user'));
  });

  test('tells requests for an erased account that the token ended', async () => {
    const gone = await register(gallery, 'gone');
    assertDone(await leave(gone));
    const { kysely } = gallery.deps.db;
    const left = () => kysely.selectFrom('users').select('id').where('id', '=', gone.id).execute();
    await eventually(async () => assert.deepEqual(await left(), []));
    await assert.rejects(getUser(gallery.deps, gone.id), { status: 401, code: 10006 });
  });

  test('is refused to the last admin; of two who leave at once one stays', async () => {
    const single = await startGallery();
    try {
      const one = await registerAdmin(single, 'one');
      assertRefused(await leave(one), 409, 60002);
      const two = await registerAdmin(single, 'two');
      const answers = await Promise.all([leave(one), leave(two)]);
      assert.deepEqual(answers.map(({ body }) => body.code).sort(), [0, 60002]);
    } finally {
      await single.close();
    }
  });

  test('deletes the cookie of the browser', async () => {
    const headers = { 'Content-Type': 'application/json', Origin: gallery.url };
    const account = { username: 'carol', email: 'carol@example.org', password, cookie: true };
    const visitor = asVisitor(gallery);
    const joined = await visitor.send('POST', '/api/auth/register', {
      body: JSON.stringify(account),
      headers,
    });
    const cookie = joined.headers.get('set-cookie')!.split(';')[0]!;
    const body = JSON.stringify({ password });
    const left = await visitor.send('DELETE', '/api/auth/user', { body, headers: { ...headers, cookie } });
    assertDone(left);
    assert.match(left.headers.get('set-cookie')!, /Max-Age=0/);
  });
});
