/** Tests that admins can list, disable, promote and limit accounts. One admin always remains. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { deleteUser } from '../../../server/gallery/admin/erase/erase.ts';
import { changeUser } from '../../../server/gallery/admin/users/change.ts';
import type { AdminUser } from '../../../server/gallery/admin/users/schema.ts';
import { commandLineActor } from '../../../server/gallery/moderation/audit.ts';
import { chargedBytes } from '../../../server/gallery/photos/upload/quota.ts';
import { assertDone, assertRead, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { eventually } from '../../support/gallery-counts.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import {
  addPhoto,
  asVisitor,
  logIn,
  type Person,
  password,
  register,
  registerAdmin,
} from '../../support/people.ts';
import { createJpeg } from '../../support/pictures.ts';

describe('accounts managed by admins', () => {
  let gallery: Gallery;
  let admin: Person;
  let ann: Person;
  let bob: Person;

  before(async () => {
    gallery = await startGallery();
    admin = await registerAdmin(gallery, 'admin');
    ann = await register(gallery, 'ann');
    bob = await register(gallery, 'bob');
  });
  after(() => gallery.close());

  const list = async (query = '') => assertRead(await admin.get(`/api/admin/users?${query}`));
  const names = async (query: string) =>
    (await list(query)).list.map(({ username }: { username: string }) => username);
  const change = (id: number, body: object, who = admin) => who.put(`/api/admin/users/${id}`, body);
  const logs = async () => assertRead(await admin.get('/api/admin/logs?action=user.update&limit=100')).list;

  test('the list shows what admins need, and nothing of how to log in', async () => {
    assertDone(await ann.put('/api/auth/profile', { nickname: 'Ännchen' }).then(withoutData));
    const photo = await addPhoto(ann);
    await addPhoto(ann, { is_public: '0' });
    assertDone(await ann.delete(`/api/photos/${(await addPhoto(ann)).id}`));
    const page = await list('keyword=ann');
    assert.deepEqual(page.pagination, { page: 1, limit: 20, total: 1, pages: 1 });
    const [shown] = page.list;
    assert.match(shown.last_seen_time, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    assert.match(shown.create_time, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    assert.deepEqual(
      { ...shown, last_seen_time: '', create_time: '' },
      {
        id: ann.id,
        username: 'ann',
        email: 'ann@example.org',
        nickname: 'Ännchen',
        avatar: '',
        status: 1,
        is_admin: false,
        quota_mb: null,
        storage_used: chargedBytes([photo, photo, photo]),
        photo_count: 2,
        api_keys: 0,
        last_seen_time: '',
        create_time: '',
      },
    );
  });

  test('is found by name, nickname and email, filtered and sorted', async () => {
    assert.deepEqual(await names('keyword=%C3%84NNCH'), ['ann']);
    assert.deepEqual(await names('keyword=BOB%40example'), ['bob']);
    assert.deepEqual(await names('keyword=_'), []);
    assert.deepEqual(await names('keyword=%25'), []);
    assert.deepEqual(await names(''), ['bob', 'ann', 'admin']);
    assert.deepEqual(await names('sort=username&order=asc'), ['admin', 'ann', 'bob']);
    assert.deepEqual(await names('sort=storage_used'), ['ann', 'bob', 'admin']);
    assert.deepEqual(await names('is_admin=1'), ['admin']);
    assert.deepEqual(await names('is_admin=0&order=asc'), ['ann', 'bob']);
    assert.deepEqual(await names('status=0'), []);
    const second = await list('limit=1&page=2');
    assert.deepEqual(second.pagination, { page: 2, limit: 1, total: 3, pages: 3 });
    assert.deepEqual(second.list[0].username, 'ann');
    assertRefused(await admin.get('/api/admin/users?status=2&is_admin=x&sort=password&order=up'), 400, 400, [
      'status',
      'is_admin',
      'sort',
      'order',
    ]);
  });

  test('the list sorts over all pages by shown name as people count, and by the last visit', async () => {
    const other = await startGallery();
    try {
      const first = await registerAdmin(other, 'admin');
      const [ten, two] = [await register(other, 'user10'), await register(other, 'user2')];
      const sort = async (query: string) =>
        assertRead(await first.get(`/api/admin/users?${query}`)).list.map((user: AdminUser) => user.username);
      assert.deepEqual(await sort('sort=name&order=asc'), ['admin', 'user2', 'user10']);
      assert.deepEqual(await sort('sort=name&order=desc&limit=1&page=2'), ['user2']);
      await ten.put('/api/auth/profile', { nickname: 'Abe' });
      await two.put('/api/auth/profile', { bio: 'A user without a nickname.' });
      assert.deepEqual(await sort('sort=name&order=asc'), ['user10', 'admin', 'user2']);
      await ten.put('/api/auth/profile', { nickname: '' });
      assert.deepEqual(await sort('sort=name&order=asc'), ['admin', 'user2', 'user10']);
      other.travel(3600);
      await ten.get('/api/auth/user');
      other.travel(3600);
      await first.get('/api/auth/user');
      await eventually(async () =>
        assert.deepEqual(await sort('sort=last_seen_time'), ['admin', 'user10', 'user2']),
      );
      assert.deepEqual(await sort('sort=last_seen_time&order=asc'), ['user2', 'user10', 'admin']);
    } finally {
      await other.close();
    }
  });

  test('disabling ends sessions and keys at once; enabling lets in again', async () => {
    const key = assertWritten(await bob.post('/api/auth/tokens', { name: 'script' })).token;
    const disabled = assertWritten(await change(bob.id, { status: 0 }));
    assert.deepEqual([disabled.status, disabled.username], [0, 'bob']);
    assertRefused(await bob.get('/api/auth/user'), 401, 10006);
    const program = { ...bob, get: (path: string) => bob.send('GET', path, bearer(key)) };
    assertRefused(await program.get('/api/auth/user'), 401, 10006);
    assertRefused(
      await asVisitor(gallery).post('/api/auth/login', { username: 'bob', password }),
      403,
      10004,
    );
    assert.deepEqual(await names('status=0'), ['bob']);
    assert.equal(assertWritten(await change(bob.id, { status: 1 })).status, 1);
    assertRefused(await bob.get('/api/auth/user'), 401, 10006);
    bob = await logIn(gallery, bob);
    // API keys work again when the account is enabled, as they do after a password change.
    assert.equal((await program.get('/api/auth/user')).status, 200);
  });

  test('a new password ends all sessions, is never shown, and works', async () => {
    const secret = 'brand new 42';
    const answer = await change(bob.id, { password: secret });
    assertWritten(answer);
    assert.ok(!answer.bytes.includes(secret));
    assertRefused(await bob.get('/api/auth/user'), 401, 10006);
    assertRefused(
      await asVisitor(gallery).post('/api/auth/login', { username: 'bob', password }),
      401,
      10003,
    );
    bob = await logIn(gallery, bob, secret);
    const kept = await gallery.deps.db.kysely.selectFrom('audit_log').selectAll().execute();
    assert.ok(!JSON.stringify(kept).includes(secret));
    assert.ok(!JSON.stringify(kept).includes('argon2'));
  });

  test('a quota holds at the next upload; null ends it, 0 allows nothing', async () => {
    const picture = await createJpeg();
    assert.equal(assertWritten(await change(bob.id, { quota_mb: 0 })).quota_mb, 0);
    assertRefused(await bob.upload(picture), 413, 20006);
    assert.equal(assertWritten(await change(bob.id, { quota_mb: 2 })).quota_mb, 2);
    assert.equal((await bob.upload(picture)).status, 200);
    assert.equal(assertWritten(await change(bob.id, { quota_mb: null })).quota_mb, null);
    assert.equal((await bob.upload(picture)).status, 200);
  });

  test('bad input changes nothing', async () => {
    const before = await gallery.deps.db.kysely.selectFrom('users').selectAll().orderBy('id').execute();
    const bad = { status: 2, is_admin: 1, quota_mb: -1, password: 'short' };
    assertRefused(await change(bob.id, bad), 400, 400, Object.keys(bad));
    assertRefused(await change(bob.id, { status: '0', quota_mb: 1.5 }), 400, 400, ['status', 'quota_mb']);
    assertRefused(await change(bob.id, { quota_mb: 1e18 }), 400, 400, ['quota_mb']);
    assertRefused(await change(999_999, { status: 0 }), 404, 50001);
    assertRefused(await admin.put('/api/admin/users/0', {}), 400, 400, ['id']);
    assertWritten(await change(bob.id, { username: 'eve', used_bytes: 0 } as object));
    const after = await gallery.deps.db.kysely.selectFrom('users').selectAll().orderBy('id').execute();
    assert.deepEqual(after, before);
    assertRefused(await change(bob.id, { is_admin: true }, ann), 403, 403);
  });

  test('an admin who was demoted since the request was let in decides no more', async () => {
    const former = await register(gallery, 'former');
    const other = await register(gallery, 'other');
    const actor = { id: former.id };
    const forbidden = /do not have permission/;
    await assert.rejects(changeUser(gallery.deps, actor, former.id, { is_admin: true }), forbidden);
    await assert.rejects(
      changeUser(gallery.deps, actor, other.id, { passwordHash: 'of a new one' }),
      forbidden,
    );
    await assert.rejects(deleteUser(gallery.deps, actor, other.id), forbidden);
    const { list: users } = await list('keyword=former');
    assert.equal(users[0].is_admin, false);
    assert.equal((await logIn(gallery, other)).name, 'other');
  });

  test('the last admin can be neither demoted nor disabled, also by two admins at once', async () => {
    for (const body of [{ is_admin: false }, { status: 0 }, { is_admin: false, quota_mb: 7 }]) {
      assertRefused(await change(admin.id, body), 409, 60002);
    }
    await assert.rejects(changeUser(gallery.deps, commandLineActor, admin.id, { status: 0 }), /last admin/);
    assert.equal((await list('keyword=admin')).list[0].quota_mb, null);

    for (let round = 0; round < 10; round++) {
      assertWritten(await change(ann.id, { is_admin: true }));
      const [a, b] = await Promise.all([
        change(ann.id, round % 2 ? { is_admin: false } : { status: 0 }),
        change(admin.id, { is_admin: false }, ann),
      ]);
      const codes = [a.body.code, b.body.code].sort((x, y) => x - y);
      // The slower request fails: it would remove the last admin, or its sender is no longer an admin or was
      // signed out.
      assert.equal(codes[0], 0, JSON.stringify(codes));
      assert.ok([60002, 403, 10006].includes(codes[1]!), JSON.stringify(codes));
      const admins = await gallery.deps.db.kysely
        .selectFrom('users')
        .select('id')
        .where('is_admin', '=', 1)
        .where('status', '=', 1)
        .execute();
      assert.equal(admins.length, 1);
      for (const id of [ann.id, admin.id]) {
        await changeUser(gallery.deps, commandLineActor, id, { status: 1, is_admin: true });
      }
      await changeUser(gallery.deps, commandLineActor, ann.id, { is_admin: false });
      ann = await logIn(gallery, ann);
    }
  });

  test('an admin may step down while another remains', async () => {
    const second = await registerAdmin(gallery, 'second');
    assertWritten(await change(second.id, { is_admin: false }, second));
    assertRefused(await second.get('/api/admin/users'), 403, 403);
    assertRefused(await change(second.id, { is_admin: true }, second), 403, 403);
  });

  test('every change is in the log, with what was changed and no more', async () => {
    assertWritten(await change(bob.id, { status: 0, quota_mb: 5, password: 'again and again' }));
    const length = (await logs()).length;
    // A change to the same values writes no audit entry.
    assertWritten(await change(bob.id, { status: 0, quota_mb: 5, is_admin: false }));
    const entries = await logs();
    assert.equal(entries.length, length);
    const { id, create_time, last_time, ...entry } = entries[0];
    assert.ok(id > 0 && create_time && last_time === create_time);
    assert.deepEqual(entry, {
      actor: { id: admin.id, username: 'admin' },
      action: 'user.update',
      target: { type: 'user', id: bob.id, name: 'bob' },
      details: { status: 0, quota_mb: 5, password: true },
      outcome: 'succeeded',
      count: 1,
      address: '',
    });
    const byCommand = entries.find(({ actor }: { actor: { id: null } }) => actor.id === null);
    assert.deepEqual(byCommand.actor, { id: null, username: 'command line' });
  });

  test('the server logged no error during these tests', () => assert.deepEqual(gallery.complaints(), []));
});

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

/** Removes the data from a profile response, because only its success matters here. */
function withoutData<Given extends { body: { data?: unknown } }>(answer: Given): Given {
  delete answer.body.data;
  return answer;
}
