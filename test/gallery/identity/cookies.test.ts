/** Tests browser sessions: a cookie replaces the token, but only for requests of the gallery's pages. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertDone, assertRead, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import {
  type Answer,
  addPhoto,
  asVisitor,
  disableAccount,
  logIn,
  type Person,
  password,
  register,
  registerAdmin,
} from '../../support/people.ts';
import { createRequestHead, exchangeRaw } from '../../support/raw.ts';

type Headers = Record<string, string>;

const theirs = 'https://evil.example';
const friend = 'https://app.example.org';

describe('a session in a cookie', () => {
  let gallery: Gallery;
  let ours: Headers;
  let ann: Person;

  before(async () => {
    gallery = await startGallery({ corsOrigins: [friend], trustProxy: true });
    ours = { origin: gallery.url };
    ann = await register(gallery, 'ann');
  });
  after(() => gallery?.close());

  const send = (method: string, path: string, headers: Headers, body?: unknown) =>
    asVisitor(gallery).send(method, path, {
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });

  const signIn = (username: string, headers: Headers = ours, secret = password) =>
    send('POST', '/api/auth/login', headers, { username, password: secret, cookie: true });

  /** Returns the cookie that a browser stores and sends with each request. */
  function readCookie({ headers }: Answer): Headers {
    return { cookie: headers.get('set-cookie')!.split(';')[0]! };
  }

  const cookieFor = async (username: string) => readCookie(await signIn(username));

  const readStatus = async (path: string, headers: Headers) => (await get(path, headers)).status;

  /** Sends the request as raw bytes, because `fetch` sets some of these headers itself. */
  const get = (path: string, headers: Headers) =>
    exchangeRaw(gallery, createRequestHead('GET', path, { Host: new URL(gallery.url).host, ...headers }));

  test('is set out of reach of scripts, by login and by register, and stands in no answer', async () => {
    const login = await signIn('ann');
    const signUp = await send('POST', '/api/auth/register', ours, {
      username: 'new',
      email: 'new@example.org',
      password,
      cookie: true,
    });
    for (const answer of [login, signUp]) {
      const { user, ...others } = assertWritten(answer);
      assert.equal(others.token, undefined);
      const set = answer.headers.getSetCookie();
      assert.equal(set.length, 1);
      assert.match(set[0]!, /^lightwell_session=[\w-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Lax$/);
      assert.doesNotMatch(answer.bytes.toString(), new RegExp(readCookie(answer).cookie!.split('=')[1]!));
      assert.equal(assertRead(await send('GET', '/api/auth/user', readCookie(answer))).id, user.id);
    }
    const plain = await send('POST', '/api/auth/login', ours, { username: 'ann', password });
    assert.equal(plain.headers.get('set-cookie'), null);
    assert.match(assertWritten(plain).token, /^[\w-]{43}$/);
  });

  test('goes by https alone where that is how the gallery is reached, under a name no other host can set', async () => {
    const secure = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'photos.example.org' };
    const origin = 'https://photos.example.org';
    const answer = await signIn('ann', { ...secure, origin });
    assertWritten(answer);
    assert.match(answer.headers.get('set-cookie')!, /^__Host-lightwell_session=.*; Path=\/; .*; Secure$/);
    assert.doesNotMatch(answer.headers.get('set-cookie')!, /Domain/i);
    const cookie = readCookie(answer);
    assert.equal(await readStatus('/api/auth/user', { ...cookie, ...secure }), 200);
    const planted = { cookie: cookie.cookie!.replace('__Host-', '') };
    assert.equal(await readStatus('/api/auth/user', { ...planted, ...secure }), 401);
  });

  test('writes for our own pages alone', async () => {
    const cookie = await cookieFor('ann');
    const { id } = await addPhoto(ann, { title: 'Before' });
    const write = (headers: Headers, title: string) =>
      send('PUT', `/api/photos/${id}`, { ...cookie, ...headers }, { title });
    const readTitle = async () => assertRead(await ann.get(`/api/photos/${id}`)).title;

    const foreign: Headers[] = [
      {},
      { origin: theirs },
      { origin: friend },
      { origin: 'null' },
      { origin: `${gallery.url}0` },
      { origin: gallery.url.replace('127.0.0.1', 'localhost') },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
      { 'sec-fetch-site': 'same-origin', origin: theirs },
      { 'sec-fetch-site': 'cross-site', origin: gallery.url },
    ];
    for (const headers of foreign) {
      assertRefused(await write(headers, 'Taken over'), 403, 403);
      for (const method of ['POST', 'DELETE']) {
        const path = method === 'POST' ? `/api/photos/${id}/like` : `/api/photos/${id}`;
        assertRefused(await send(method, path, { ...cookie, ...headers }), 403, 403);
      }
      const form = new FormData();
      form.append('file', new Blob(['x']), 'x.jpg');
      const upload = { headers: { ...cookie, ...headers }, body: form };
      assertRefused(await asVisitor(gallery).send('POST', '/api/photos/upload', upload), 403, 403);
    }
    assert.equal(await readTitle(), 'Before');

    const own: Headers[] = [
      ours,
      { 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'same-origin', origin: 'null' },
      { 'sec-fetch-site': 'same-origin', ...ours },
    ];
    for (const [index, headers] of own.entries()) {
      assert.equal((await write(headers, `Title ${index}`)).status, 200);
      assert.equal(await readTitle(), `Title ${index}`);
    }
  });

  test('reads nothing for another origin, also for one that CORS allows', async () => {
    const cookie = await cookieFor('ann');
    const { id, title, thumb: signed } = await addPhoto(ann, { title: 'Private thoughts', is_public: '0' });
    const thumb = signed.split('?')[0]!;
    const foreign: Headers[] = [
      { origin: theirs },
      { origin: friend },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
      { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
    ];
    for (const headers of foreign) {
      const all = { ...cookie, ...headers };
      assert.equal(await readStatus('/api/auth/user', all), 401);
      assert.equal(await readStatus(`/api/photos/${id}`, all), 403);
      assert.equal(await readStatus(thumb, all), 403);
      const list = await get('/api/photos', all);
      assert.equal(list.status, 200);
      assert.ok(!list.text.includes(title));
      assert.equal(list.headers.get('access-control-allow-credentials'), undefined);
    }
    // A link from another site opens the pages that the user may see.
    const link = {
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    };
    for (const headers of [{}, ours, link, { 'sec-fetch-site': 'none' }]) {
      const all = { ...cookie, ...headers };
      assert.equal((await get(`/api/photos/${id}`, all)).body.data.title, title);
      assert.equal(await readStatus(thumb, all), 200);
    }
  });

  test('does not sign the readers of another page in', async () => {
    const before = await sessionCount();
    const foreign: Headers[] = [{ origin: theirs }, { origin: friend }, { 'sec-fetch-site': 'cross-site' }];
    for (const headers of foreign) {
      const login = await signIn('ann', headers);
      assertRefused(login, 403, 403);
      const body = { username: 'lured', email: 'lured@example.org', password, cookie: true };
      const signUp = await send('POST', '/api/auth/register', headers, body);
      assertRefused(signUp, 403, 403);
      for (const { headers: sent } of [login, signUp]) assert.equal(sent.get('set-cookie'), null);
    }
    assert.equal(await sessionCount(), before);
    // A login without a cookie returns a token to other sites, because a token needs no browser protection.
    assertWritten(await send('POST', '/api/auth/login', { origin: friend }, { username: 'ann', password }));
  });

  const sessionCount = async () =>
    (await gallery.deps.db.kysely.selectFrom('sessions').select('id').execute()).length;

  test('is not asked where a token is given', async () => {
    const bea = await register(gallery, 'bea');
    const cookie = await cookieFor('ann');
    const both = { ...cookie, authorization: `Bearer ${bea.token}`, origin: friend };
    assert.equal(assertRead(await send('GET', '/api/auth/user', both)).id, bea.id);
    const saved = await send('PUT', '/api/auth/profile', both, { nickname: 'Bea' });
    assert.equal(assertWritten(saved).id, bea.id);
    assertRefused(await send('GET', '/api/auth/user', { ...cookie, authorization: 'Bearer x' }), 401, 10006);
  });

  test('takes no API key and no token of another form', async () => {
    const { token: key } = assertWritten(await ann.post('/api/auth/tokens', { name: 'script' }));
    const token = readCookie(await signIn('ann')).cookie!.split('=')[1]!;
    for (const value of [key, `"${token}"`, `${token}x`, token.slice(1), `${token.slice(1)}%41`, '']) {
      assert.equal(await readStatus('/api/auth/user', { cookie: `lightwell_session=${value}` }), 401, value);
    }
    const among = { cookie: `theme=dark; lightwell_session=${token}; xlightwell_session=1` };
    assert.equal(await readStatus('/api/auth/user', among), 200);
    assert.equal(await readStatus('/api/auth/user', { cookie: `xlightwell_session=${token}` }), 401);
  });

  describe('ends at once', () => {
    let photo: string;
    let id: number;
    let cat: Person;
    const isOpen = async (cookie: Headers) => [
      await readStatus('/api/auth/user', cookie),
      await readStatus(photo, cookie),
      await readStatus(`/api/photos/${id}`, cookie),
    ];

    before(async () => {
      cat = await register(gallery, 'cat');
      const added = await addPhoto(cat, { is_public: '0' });
      photo = added.thumb.split('?')[0]!;
      id = added.id;
    });

    test('ends with a logout, which deletes the cookie', async () => {
      const cookie = await cookieFor('cat');
      assert.deepEqual(await isOpen(cookie), [200, 200, 200]);
      const answer = await send('POST', '/api/auth/logout', { ...cookie, ...ours });
      assertDone(answer);
      assert.match(
        answer.headers.get('set-cookie')!,
        /^lightwell_session=; Path=\/; Max-Age=0; HttpOnly; SameSite=Lax$/,
      );
      assert.deepEqual(await isOpen(cookie), [401, 403, 403]);
      assertRefused(await send('POST', '/api/auth/logout', { ...cookie, ...ours }), 401, 401);
    });

    test('ends with a password change elsewhere', async () => {
      const cookie = await cookieFor('cat');
      assert.deepEqual(await isOpen(cookie), [200, 200, 200]);
      const changed = { old_password: password, new_password: 'correct horse 8' };
      assertDone(await cat.put('/api/auth/password', changed));
      assert.deepEqual(await isOpen(cookie), [401, 403, 403]);
      cat = await logIn(gallery, cat, 'correct horse 8');
    });

    test('ends with the account, and when it expires', async () => {
      const cookie = readCookie(await signIn('cat', ours, 'correct horse 8'));
      await disableAccount(gallery, cat);
      assert.deepEqual(await isOpen(cookie), [401, 403, 403]);
      const old = await cookieFor('ann');
      gallery.travel(604_800);
      assert.equal(await readStatus('/api/auth/user', old), 401);
      assert.equal(await readStatus('/api/photos', old), 200);
      gallery.travel(-604_800);
    });
  });

  test('opens private images by a path that is the same tomorrow, for the browser alone', async () => {
    const { id, thumb } = await addPhoto(ann, { is_public: '0' });
    assert.match(thumb, /\?g=/);
    const cookie = await cookieFor('ann');
    const readPaths = async () => {
      const { path, thumb: small, preview } = assertRead(await send('GET', `/api/photos/${id}`, cookie));
      return [path, small, preview];
    };
    const paths = await readPaths();
    for (const path of paths) {
      assert.match(path, /^\/storage\/[\w.]+$/);
      const answer = await send('GET', path, cookie);
      assert.equal(answer.status, 200);
      assert.match(answer.headers.get('cache-control')!, /^private, (max-age=3600|no-store)$/);
      assert.match(answer.headers.get('vary')!, /Cookie/);
      for (const other of [{}, await cookieFor('bea')]) assert.equal(await readStatus(path, other), 403);
    }
    gallery.travel(86_400);
    assert.deepEqual(await readPaths(), paths);
    for (const path of paths) assert.equal(await readStatus(path, cookie), 200);
    const { list } = assertRead(await send('GET', '/api/photos', cookie));
    assert.ok(list.every((item: { thumb: string }) => !item.thumb.includes('?')));
    gallery.travel(-86_400);
  });

  test('serves admins as well, and is one of the sessions that are listed', async () => {
    await registerAdmin(gallery, 'root');
    const cookie = await cookieFor('root');
    assert.equal(await readStatus('/api/admin/users', cookie), 200);
    const { list } = assertRead(await send('GET', '/api/auth/sessions', cookie));
    const current = list.filter((session: { is_current: boolean }) => session.is_current);
    assert.equal(current.length, 1);
    assertDone(await send('DELETE', `/api/auth/sessions/${current[0].id}`, { ...cookie, ...ours }));
    assert.equal(await readStatus('/api/admin/users', cookie), 401);
  });
});
