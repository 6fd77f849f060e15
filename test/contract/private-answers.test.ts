import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Gallery, startGallery } from '../support/harness.ts';
import { type Answer, addAlbum, addPhoto, asVisitor, type Person, register } from '../support/people.ts';
import { createRequestHead, exchangeRaw } from '../support/raw.ts';

describe('caches and credentials', () => {
  let gallery: Gallery;
  let owner: Person;
  let photo: number;
  let album: number;

  before(async () => {
    gallery = await startGallery({ corsOrigins: ['https://app.example.org'] });
    owner = await register(gallery, 'owner');
    album = await addAlbum(owner, 'Private', { isPublic: false });
    photo = (await addPhoto(owner, { album_id: String(album) })).id;
  });
  after(() => gallery.close());

  const readVary = ({ headers }: Answer) => (headers.get('vary') ?? '').split(', ');

  test('forbids shared caches to store a response that depends on a token', async () => {
    const paths = [
      '/api/photos',
      '/api/photos?user_id=1',
      '/api/albums',
      '/api/tags',
      '/api/users',
      '/api/users/owner',
    ];
    const own = [
      '/api/auth/user',
      '/api/trash',
      '/api/shares',
      '/api/auth/sessions',
      '/api/feed',
      '/api/notifications',
    ];
    const reads = [
      ...paths,
      ...own,
      `/api/photos/${photo}`,
      `/api/albums/${album}`,
      `/api/photos/${photo}/comments`,
    ];
    for (const path of reads) {
      // Requests each list twice, because the second request uses a prepared statement from the cache.
      for (const ask of [() => owner.get(path), () => owner.get(path), () => owner.send('HEAD', path)]) {
        const answer = await ask();
        assert.equal(answer.status, 200, path);
        assert.equal(answer.headers.get('cache-control'), 'private, no-cache', path);
        assert.deepEqual(readVary(answer), ['Origin', 'Authorization', 'Cookie'], path);
      }
    }
    const written = await owner.put('/api/auth/profile', { bio: 'x' });
    assert.equal(written.headers.get('cache-control'), 'private, no-cache');
  });

  test('forbids all caches to store a refusal, and sets Vary as usual', async () => {
    for (const path of [
      '/api/auth/user',
      `/api/albums/${album}`,
      '/api/photos/x',
      '/api/nothing',
      '/%61pi/photos/',
    ]) {
      const answer = await asVisitor(gallery).get(path);
      assert.ok(answer.status >= 400);
      assert.equal(answer.headers.get('cache-control'), 'no-store', path);
      assert.deepEqual(readVary(answer), ['Origin', 'Authorization', 'Cookie'], path);
    }
  });

  test('leaves the specific cache headers of files, archives and shares unchanged', async () => {
    const { body } = await owner.post(`/api/photos/${photo}/share`, { type: 'link' });
    const token = body.data.url.split('/').at(-1);
    for (const path of [
      `/api/photos/${photo}/download`,
      `/api/albums/${album}/download`,
      `/api/shares/${token}`,
    ]) {
      const answer = await owner.get(path);
      assert.equal(answer.status, 200, path);
      assert.equal(answer.headers.get('cache-control'), 'private, no-store', path);
      assert.deepEqual(readVary(answer), ['Origin', 'Authorization', 'Cookie'], path);
    }
    const page = await asVisitor(gallery).get(`/s/${token}`);
    assert.equal(page.headers.get('cache-control'), 'private, no-store');
  });

  test('every 401 names the authentication scheme, and reports an invalid token as invalid', async () => {
    const wrong = { username: 'owner', password: 'wrong' };
    const bad = { authorization: 'Bearer nonsense' };
    const { path } = await addPhoto(owner, { is_public: '0' });
    for (const [answer, code] of [
      [await asVisitor(gallery).get('/api/auth/user'), 401],
      [await asVisitor(gallery).post('/api/auth/login', wrong), 10003],
      [await asVisitor(gallery).get('/api/photos', bad), 10006],
      [await asVisitor(gallery).get('/api/auth/user', { authorization: 'Bearer eDp5' }), 10006],
      [await asVisitor(gallery).get(path.split('?')[0]!, bad), 10006],
    ] as const) {
      assert.deepEqual([answer.status, answer.body.code], [401, code]);
      const more = code === 10006 ? ', error="invalid_token"' : '';
      assert.equal(answer.headers.get('www-authenticate'), `Bearer realm="Lightwell"${more}`);
    }
    for (const path of ['/api/photos', `/api/albums/${album}`, '/api/nothing']) {
      assert.equal((await asVisitor(gallery).get(path)).headers.get('www-authenticate'), null, path);
    }
  });
});

test('uses the address from a trusted proxy only if the address is valid', async () => {
  const limit = 20;
  const gallery = await startGallery({ rateLimit: limit, trustProxy: true });
  try {
    const long = 'x'.repeat(12_000);
    const made = [
      'nonsense',
      '',
      '1.2.3',
      '1.2.3.4.5',
      '<b>',
      'localhost',
      `fe80::1%${long}`,
      long,
      '::ffff:1.2.3.x',
    ];
    const lefts: string[] = [];
    for (const address of made) {
      const { headers } = await exchangeRaw(
        gallery,
        createRequestHead('GET', '/api/photos', { 'X-Forwarded-For': address }),
      );
      lefts.push(headers.get('x-ratelimit-remaining') ?? '');
    }
    const real = made.filter((address) => !address.startsWith('fe80'));
    const expected = real.map((_, index) => String(limit - 1 - index));
    assert.deepEqual(
      lefts.filter((_, index) => real.includes(made[index]!)),
      expected,
      'all of them are the connection',
    );
    assert.equal(lefts[made.indexOf(`fe80::1%${long}`)], String(limit - 1));

    const who = { username: 'traveller', email: 'traveller@example.org', password: 'secret enough' };
    const from = (address: string) => ({
      body: JSON.stringify(who),
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    });
    await asVisitor(gallery).send('POST', '/api/auth/register', from(long));
    await asVisitor(gallery).send('POST', '/api/auth/login', from(`2001:db8::1%${long}`));
    await asVisitor(gallery).send('POST', '/api/auth/login', from('192.0.2.7'));
    const sessions = await gallery.deps.db.kysely.selectFrom('sessions').select('ip').orderBy('id').execute();
    assert.deepEqual(
      sessions.map(({ ip }) => ip),
      ['127.0.0.1', '2001:db8::1', '192.0.2.7'],
    );
  } finally {
    await gallery.close();
  }
});
