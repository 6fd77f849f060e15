import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { chargedBytes } from '../../../server/gallery/photos/upload/quota.ts';
import { assertDone, assertRead, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import {
  addAlbum,
  addPhoto,
  asVisitor,
  disableAccount,
  logIn,
  password,
  register,
  registerAdmin,
} from '../../support/people.ts';

const timePattern = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;

describe('accounts', () => {
  let gallery: Gallery;

  before(async () => {
    gallery = await startGallery();
  });
  after(() => gallery.close());

  const signUp = (username: unknown, email: unknown, secret: unknown = password) =>
    asVisitor(gallery).post('/api/auth/register', { username, email, password: secret });
  const login = (username: unknown, secret: unknown = password) =>
    asVisitor(gallery).post('/api/auth/login', { username, password: secret });

  async function countUsers(): Promise<number> {
    const rows = await gallery.deps.db.kysely.selectFrom('users').select('id').execute();
    return rows.length;
  }

  describe('register', () => {
    test('answers with the user and a token that works at once', async () => {
      const answer = await signUp('Ansel_A-1', 'Ansel@Example.org');
      const { user, token } = assertWritten(answer);
      assert.deepEqual(Object.keys(answer.body.data), ['user', 'token']);
      assert.deepEqual(Object.keys(user), ['id', 'username', 'email', 'nickname', 'avatar', 'create_time']);
      assert.equal(user.username, 'Ansel_A-1');
      assert.equal(user.email, 'Ansel@Example.org');
      assert.equal(user.avatar, '');
      assert.match(user.create_time, timePattern);
      assert.ok(Math.abs(Date.parse(`${user.create_time.replace(' ', 'T')}Z`) - Date.now()) < 60_000);
      assert.match(token, /^[\w-]{43}$/);
      const me = await asVisitor(gallery).get('/api/auth/user', { authorization: `Bearer ${token}` });
      assert.equal(assertRead(me).id, user.id);
      assert.doesNotMatch(answer.bytes.toString(), /password|argon|hash/i);
    });

    test('a taken name is 10001, a taken email 10002, in any case', async () => {
      await register(gallery, 'dorothea');
      const before = await countUsers();
      for (const name of ['dorothea', 'Dorothea', 'DOROTHEA']) {
        assertRefused(await signUp(name, 'somebody@example.org'), 409, 10001);
      }
      for (const email of ['dorothea@example.org', 'Dorothea@EXAMPLE.ORG']) {
        assertRefused(await signUp('somebody', email), 409, 10002);
      }
      assertRefused(await signUp('dorothea', 'dorothea@example.org'), 409, 10001);
      assert.equal(await countUsers(), before);
    });

    test('gives a name to one of many who register it at once', async () => {
      const before = await countUsers();
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, n) => signUp(n % 2 ? 'racer' : 'RACER', `racer${n}@example.org`)),
      );
      assert.deepEqual(answers.map(({ status, body }) => `${status} ${body.code}`).sort(), [
        '200 0',
        ...Array.from({ length: 11 }, () => '409 10001'),
      ]);
      const sameEmail = await Promise.all(
        Array.from({ length: 8 }, (_, n) =>
          signUp(`mail-${n}`, n % 2 ? 'one@example.org' : 'ONE@example.org'),
        ),
      );
      assert.deepEqual(sameEmail.map(({ status, body }) => `${status} ${body.code}`).sort(), [
        '200 0',
        ...Array.from({ length: 7 }, () => '409 10002'),
      ]);
      assert.equal(await countUsers(), before + 2);
    });

    test('names every bad field at once and makes no account', async () => {
      const before = await countUsers();
      const bad: [unknown, unknown, unknown, string[]][] = [
        ['ab', 'a@b', '12345', ['username', 'email', 'password']],
        ['a'.repeat(21), 'no-at.example.org', 'x'.repeat(129), ['username', 'email', 'password']],
        ['a b c', 'a b@example.org', 123456, ['username', 'email', 'password']],
        ['имя-три', '@example.org', null, ['username', 'email', 'password']],
        ['admin\u0000', 'a@example.org\r\nBcc: b@example.org', [password], ['username', 'email', 'password']],
        ['ad\u200bmin', 'fine@example.org', password, ['username']],
        ['../x', `${'a'.repeat(250)}@b.cc`, password, ['username', 'email']],
        [{ $ne: '' }, true, { $ne: '' }, ['username', 'email', 'password']],
        ['user@example.com', 'fine@example.org', password, ['username']],
        // A user name of digits only is refused, because it would look like an id.
        ['101', 'fine@example.org', password, ['username']],
        ['9'.repeat(20), 'fine@example.org', password, ['username']],
        [undefined, undefined, undefined, ['username', 'email', 'password']],
        ['fine-name', 'fine@example.org', 'x'.repeat(1_000), ['password']],
      ];
      for (const [username, email, secret, fields] of bad) {
        const answer = await asVisitor(gallery).post('/api/auth/register', {
          username,
          email,
          password: secret,
        });
        assertRefused(answer, 400, 400, fields);
      }
      assert.equal(await countUsers(), before);
    });

    test('takes names and passwords of the shortest and the longest kind', async () => {
      const longest = '長い🔑'.repeat(32);
      for (const [name, secret] of [
        ['abc', '6chars'],
        ['n'.repeat(20), longest],
        ['-_-', ' spaces '],
      ] as const) {
        assertWritten(await signUp(name, `limit-${name}@example.org`, secret));
        assertWritten(await login(name, secret));
        assertRefused(await login(name, secret.slice(0, -1)), 401, 10003);
      }
      // Two Unicode compositions of the same password, from different keyboards, count as the same password.
      assertWritten(await signUp('composer', 'composer@example.org', 'caf\u00e9 noir'));
      assertWritten(await login('composer', 'cafe\u0301 noir'));
    });

    test('gives no rights that the body asks for', async () => {
      const answer = await asVisitor(gallery).post('/api/auth/register', {
        username: 'climber',
        email: 'climber@example.org',
        password,
        is_admin: true,
        status: 0,
        id: 1,
        nickname: 'Root',
        ...{ quota_bytes: 1, password_hash: 'x' },
      });
      const { token } = assertWritten(answer);
      const me = assertRead(
        await asVisitor(gallery).get('/api/auth/user', { authorization: `Bearer ${token}` }),
      );
      assert.deepEqual([me.is_admin, me.status], [false, 1]);
      assert.notEqual(me.id, 1);
      assert.notEqual(me.nickname, 'Root');
      const rows = gallery.deps.db.kysely.selectFrom('users').selectAll().where('id', '=', me.id);
      const { quota_bytes, password_hash } = await rows.executeTakeFirstOrThrow();
      assert.deepEqual([quota_bytes, password_hash === 'x'], [null, false]);
    });
  });

  describe('log in', () => {
    test('accepts the name or the email, in any case', async () => {
      const walker = await register(gallery, 'Walker');
      for (const name of ['Walker', 'walker', 'WALKER', 'Walker@example.org', 'WALKER@EXAMPLE.ORG']) {
        const answer = await login(name);
        const data = assertWritten(answer);
        assert.deepEqual(Object.keys(data).sort(), ['expires_in', 'token', 'user']);
        assert.deepEqual(Object.keys(data.user), ['id', 'username', 'email', 'nickname', 'avatar']);
        assert.deepEqual(
          [data.user.id, data.user.username, data.user.email],
          [walker.id, 'Walker', 'Walker@example.org'],
        );
        assert.equal(data.expires_in, 604_800);
        assert.match(data.token, /^[\w-]{43}$/);
        assert.notEqual(data.token, walker.token);
      }
    });

    test('answers 10003 for a wrong password or an unknown name', async () => {
      await register(gallery, 'imogen');
      const answers = await Promise.all([
        login('imogen', 'wrong password'),
        login('imogen', password.toUpperCase()),
        login('imogen', `${password} `),
        login('nobody-known'),
        login('nobody@example.org'),
        login("' OR '1'='1", "' OR '1'='1"),
        login('%'),
      ]);
      for (const answer of answers) assertRefused(answer, 401, 10003);
      const texts = new Set(answers.map(({ bytes }) => bytes.toString()));
      assert.equal(texts.size, 1, 'all refusals read the same');
    });

    test('a disabled account is 10004, told only to a client that knows its password', async () => {
      const gone = await register(gallery, 'disabled-dan');
      await disableAccount(gallery, gone);
      assertRefused(await login('disabled-dan'), 403, 10004);
      assertRefused(await login('disabled-dan', 'wrong password'), 401, 10003);
      assertRefused(await gone.get('/api/auth/user'), 401, 10006);
    });

    test('names every bad field', async () => {
      assertRefused(await asVisitor(gallery).post('/api/auth/login', {}), 400, 400, ['username', 'password']);
      assertRefused(await login('', ''), 400, 400, ['username', 'password']);
      assertRefused(await login(['a'], 7), 400, 400, ['username', 'password']);
      assertRefused(await login('a\u0000b', 'x'.repeat(1025)), 400, 400, ['username', 'password']);
    });
  });

  test('logging out ends this session and no other', async () => {
    const here = await register(gallery, 'leaver');
    const there = await logIn(gallery, here);
    assertDone(await here.post('/api/auth/logout'));
    assertRefused(await here.get('/api/auth/user'), 401, 10006);
    assertRefused(await here.post('/api/auth/logout'), 401, 10006);
    assert.equal(assertRead(await there.get('/api/auth/user')).id, here.id);
    assertRefused(await asVisitor(gallery).post('/api/auth/logout'), 401, 401);
  });

  describe('the current user', () => {
    test('is the full user with exact stats', async () => {
      const [owner, fan] = [await register(gallery, 'vivian'), await register(gallery, 'fan')];
      const blank = { photos: 0, albums: 0, favorites: 0, likes: 0 };
      const fresh = assertRead(await owner.get('/api/auth/user'));
      const { create_time, ...rest } = fresh;
      assert.match(create_time, timePattern);
      assert.deepEqual(rest, {
        id: owner.id,
        username: 'vivian',
        nickname: '',
        email: 'vivian@example.org',
        avatar: '',
        bio: '',
        gender: 0,
        birthday: '',
        mobile: '',
        status: 1,
        is_admin: false,
        has_password: true,
        email_confirmed: false,
        storage_used: 0,
        quota_mb: null,
        unread: 0,
        open_reports: 0,
        stats: blank,
      });

      const shown = await addPhoto(owner, { title: 'shown' });
      const hidden = await addPhoto(owner, { title: 'hidden', is_public: '0' });
      const trashed = await addPhoto(owner, { title: 'trashed' });
      await addAlbum(owner, 'An album');
      await fan.post(`/api/photos/${shown.id}/like`);
      await owner.post(`/api/photos/${shown.id}/like`);
      await owner.post(`/api/photos/${hidden.id}/like`);
      await fan.post(`/api/photos/${trashed.id}/like`);
      for (const { id } of [shown, trashed]) await fan.post(`/api/photos/${id}/favorite`);
      await owner.delete(`/api/photos/${trashed.id}`);

      const { storage_used, unread } = assertRead(await owner.get('/api/auth/user'));
      assert.equal(storage_used, chargedBytes([shown, hidden, trashed]));
      // Counts the likes and favorites of one photo only, because those of the trashed photo no longer count.
      assert.equal(unread, assertRead(await owner.get('/api/notifications')).unread);
      assert.ok(unread >= 2);
      const stats = async (who: typeof owner) => assertRead(await who.get('/api/auth/user')).stats;
      assert.deepEqual(await stats(owner), { photos: 2, albums: 1, favorites: 0, likes: 3 });
      assert.deepEqual(await stats(fan), { photos: 0, albums: 0, favorites: 1, likes: 0 });
      await owner.put(`/api/photos/${shown.id}`, { is_public: 0 });
      assert.deepEqual(await stats(fan), blank, 'what became private is no favorite that one can see');
    });

    test('counts no private photo of another user among the favorites of an admin', async () => {
      const [owner, admin] = [await register(gallery, 'walter'), await registerAdmin(gallery, 'overseer')];
      const { id } = await addPhoto(owner, { is_public: '0' });
      await admin.post(`/api/photos/${id}/favorite`);
      const { pagination } = assertRead(await admin.get(`/api/users/${admin.id}/favorites`));
      assert.equal(pagination.total, 0);
      assert.equal(assertRead(await admin.get('/api/auth/user')).stats.favorites, 0);
    });

    test('is refused without a token', async () => {
      assertRefused(await asVisitor(gallery).get('/api/auth/user'), 401, 401);
    });
  });
});
