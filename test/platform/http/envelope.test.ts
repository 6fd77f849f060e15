import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { assertDone, assertRead, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addPhoto, asVisitor, type Person, register, type UploadedPhoto } from '../../support/people.ts';
import { createRequestHead, exchangeRaw } from '../../support/raw.ts';

describe('the envelope', () => {
  let gallery: Gallery;
  let owner: Person;
  let photo: UploadedPhoto;

  before(async () => {
    gallery = await startGallery();
    owner = await register(gallery, 'owner');
    photo = await addPhoto(owner, { title: 'Enveloped' });
  });
  after(() => gallery.close());

  test('reads carry no message, writes do', async () => {
    assertRead(await owner.get('/api/auth/user'));
    assertRead(await owner.get('/api/photos'));
    assertRead(await owner.get(`/api/photos/${photo.id}`));
    assertRead(await owner.get(`/api/photos/${photo.id}/edits`));
    assertRead(await owner.get('/api/shares'));
    assertWritten(await owner.post(`/api/photos/${photo.id}/like`));
    assertWritten(await owner.post(`/api/photos/${photo.id}/favorite`));
    assertWritten(await owner.post(`/api/photos/${photo.id}/share`, { type: 'link' }));
    assertWritten(await owner.put('/api/auth/profile', {}));
    assertDone(await owner.put(`/api/photos/${photo.id}`, {}));
  });

  test('an unknown path is 404', async () => {
    for (const path of ['/api', '/api/', '/api/nothing', '/api/photo/1', '/API/photos', '/x']) {
      for (const who of [owner, asVisitor(gallery)]) assertRefused(await who.get(path), 404, 404);
    }
    assertRefused(await owner.post('/api/nothing', { a: 1 }), 404, 404);
    assertRefused(await owner.get(`/api/photos/${photo.id}/`), 404, 404);
    assertRefused(await owner.get(`/api/photos/${photo.id}/nothing`), 404, 404);
  });

  test('a known path with another method is 405 and says which it has', async () => {
    for (const [method, path, allowed] of [
      ['DELETE', '/api/photos', 'GET'],
      ['POST', '/api/photos', 'GET'],
      ['PATCH', '/api/photos/1', 'PUT'],
      ['GET', '/api/auth/login', 'POST'],
      ['PUT', '/api/auth/register', 'POST'],
      ['GET', '/api/photos/1/like', 'POST'],
      ['POST', '/api/auth/user', 'GET'],
      ['POST', '/health', 'GET'],
      ['GET', '/api/photos/upload', 'POST'],
      ['PUT', '/api/photos/upload?x=1', 'POST'],
      ['DELETE', '/api/photos/upload', 'POST'],
      ['PROPFIND', '/api/photos', 'GET'],
    ] as const) {
      const answer = await owner.send(method, path);
      assertRefused(answer, 405, 405);
      assert.ok(answer.headers.get('allow')?.split(', ').includes(allowed), `${method} ${path}`);
    }
    assertRefused(await asVisitor(gallery).send('DELETE', '/api/auth/login'), 405, 405);
  });

  test('a body that is too large is 413', async () => {
    const body = JSON.stringify({ bio: 'x'.repeat(200_000) });
    const headers = { 'content-type': 'application/json' };
    assertRefused(await owner.send('PUT', '/api/auth/profile', { body, headers }), 413, 413);
    const chunked = ['4000\r\n', 'x'.repeat(0x4000), '\r\n'].join('').repeat(10);
    const raw = await exchangeRaw(gallery, [
      createRequestHead('POST', '/api/auth/login', {
        'Content-Type': 'application/json',
        'Transfer-Encoding': 'chunked',
      }),
      chunked,
    ]);
    assert.deepEqual([raw.status, raw.body.code], [413, 413]);
  });

  test('a body of another content type is 415', async () => {
    const body = '{"bio":"x"}';
    const types = [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/xml',
      'multipart/form-data',
    ];
    for (const type of [...types, '*/*', 'application/jsonx', 'nonsense']) {
      const options = { body, headers: { 'content-type': type } };
      assertRefused(await owner.send('PUT', '/api/auth/profile', options), 415, 415);
    }
    const zipped = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const bomb = new Uint8Array(gzipSync(Buffer.alloc(1_000_000)));
    assertRefused(await owner.send('PUT', '/api/auth/profile', { body: bomb, headers: zipped }), 415, 415);
    assertRefused(await owner.post('/api/photos/upload', { file: 'x' }), 415, 415);
    assertDoneProfile(
      await owner.send('PUT', '/api/auth/profile', {
        body,
        headers: { 'content-type': 'application/json; charset=utf-8' },
      }),
    );
  });

  const assertDoneProfile = (answer: Awaited<ReturnType<Person['get']>>) =>
    assert.equal(assertWritten(answer).bio, 'x');

  test('a body that is no JSON object is 400', async () => {
    const bodies = [
      '{',
      '[]',
      'null',
      '1',
      '"x"',
      'true',
      '{"a":1}{"b":2}',
      "{'a':1}",
      '{"a":NaN}',
      '\ufeff{',
    ];
    const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`;
    const polluting = ['{"__proto__":{"is_admin":true}}', '{"constructor":{"prototype":{"is_admin":true}}}'];
    const latin = new Uint8Array([
      ...Buffer.from('{"username":"'),
      0xff,
      0xfe,
      0xc3,
      0x28,
      ...Buffer.from('"}'),
    ]);
    for (const body of [...bodies, deep, ...polluting, latin]) {
      const answer = await asVisitor(gallery).send('POST', '/api/auth/login', {
        body,
        headers: { 'content-type': 'application/json' },
      });
      assert.deepEqual([answer.status, answer.body.code], [400, 400], String(body).slice(0, 50));
      assertRefused(answer, 400, 400, answer.body.errors && Object.keys(answer.body.errors));
    }
    assert.equal(({} as { is_admin?: boolean }).is_admin, undefined);
    assertRefused(await asVisitor(gallery).post('/api/auth/login'), 400, 400, ['username', 'password']);
  });

  test('names every bad field of path, query and body at once', async () => {
    const query =
      'page=0&limit=-1&sort=password&order=up&album_id=x&user_id=1.5&date_from=2024-02-30&date_to=x';
    assertRefused(
      await owner.get(`/api/photos?${query}&is_public=2&keyword=%00&tag=${'t'.repeat(51)}`),
      400,
      400,
      [
        'album_id',
        'date_from',
        'date_to',
        'is_public',
        'keyword',
        'limit',
        'order',
        'page',
        'sort',
        'tag',
        'user_id',
      ],
    );
    const wrong = { title: 1, description: [], album_id: '1', tags: 'a,b', is_public: true };
    const fields = ['title', 'description', 'album_id', 'tags', 'is_public'];
    assertRefused(await owner.put(`/api/photos/${photo.id}`, wrong), 400, 400, fields);
    const unchanged = assertRead(await owner.get(`/api/photos/${photo.id}`));
    assert.equal(unchanged.title, 'Enveloped');
    assertRefused(
      await owner.post(`/api/photos/${photo.id}/share`, { type: 'x', expires: 0, password: '' }),
      400,
      400,
      ['type', 'expires', 'password'],
    );
  });

  test('ids are plain whole numbers; what is none is a 400 that names it', async () => {
    const bad = [
      '0',
      '-1',
      '1.5',
      '1e3',
      '1e400',
      '0x10',
      '0b1',
      '01',
      '+1',
      '%201',
      '1%20',
      'NaN',
      'Infinity',
      '-0',
    ];
    const worse = [
      '9007199254740992',
      '9223372036854775808',
      '9'.repeat(26),
      '1;DROP TABLE photos',
      "1'",
      '１',
      '٣',
    ];
    const odd = ['null', 'undefined', 'true', '[]', '{}', '__proto__', 'constructor', '1%00', '1%2f2'];
    for (const id of [...bad, ...worse, ...odd].map((id) =>
      id.includes('%') ? id : encodeURIComponent(id),
    )) {
      assertRefused(await owner.get(`/api/photos/${id}`), 400, 400, ['id']);
      assertRefused(await owner.delete(`/api/photos/${id}`), 400, 400, ['id']);
      assertRefused(await owner.get(`/api/photos?user_id=${id}`), 400, 400, ['user_id']);
    }
    for (const id of ['2147483647', '2147483648', '4294967296', '9007199254740991', '999999999999999']) {
      assertRefused(await owner.get(`/api/photos/${id}`), 404, 20003);
      assertRefused(await owner.post(`/api/photos/${id}/like`), 404, 20003);
      assertRefused(await owner.get(`/api/photos?album_id=${id}`), 404, 30001);
      assert.equal(assertRead(await owner.get(`/api/photos?user_id=${id}`)).pagination.total, 0);
    }
    assert.equal(assertRead(await owner.get(`/api/photos/${photo.id}`)).id, photo.id);
  });

  test('parameters given twice, or as lists and objects, are no type errors', async () => {
    for (const query of [
      'limit=1&limit=2',
      'page=1&page=2',
      'sort=title&sort=title',
      'keyword=a&keyword=b',
    ]) {
      const answer = await owner.get(`/api/photos?${query}`);
      assertRefused(answer, 400, 400, [query.split('=')[0]!]);
    }
    for (const query of ['limit[]=5', 'limit[$gt]=1', 'page[]=1', 'a=1', '', '&&', '=']) {
      assertRead(await owner.get(`/api/photos?${query}`));
    }
  });

  test('odd paths are answered in the envelope, and lead nowhere', async () => {
    const paths = [
      '/api//photos/1',
      '/api/photos/%',
      '/api/photos/%zz',
      '/api/photos/1/../../auth/user',
      '/.env',
    ];
    for (const path of [
      ...paths,
      '/.git/config',
      '/storage/../lightwell.db',
      '/storage/%2e%2e/x',
      '/a/../../etc',
    ]) {
      const raw = await exchangeRaw(gallery, createRequestHead('GET', path, {}));
      assert.ok([400, 404].includes(raw.status), `${path}: ${raw.status}`);
      assert.equal(raw.body.code, raw.status, path);
      assert.doesNotMatch(raw.text, /node_modules|\.ts\b|SQLite format/);
    }
  });

  test('wraps the answer to a request that no parser can read', async () => {
    const garbage = await exchangeRaw(gallery, 'NONSENSE\r\n\r\n');
    assert.deepEqual([garbage.status, garbage.body.code], [400, 400]);
    const large = await exchangeRaw(
      gallery,
      createRequestHead('GET', '/api/photos', { 'X-Large': 'x'.repeat(40_000) }),
    );
    assert.deepEqual([large.status, large.body.code], [431, 431]);
  });

  test('every answer of the API is guarded against sniffing, none tells what made it', async () => {
    const answers = [
      await owner.get('/api/photos'),
      await owner.get('/api/nothing'),
      await owner.get('/health'),
    ];
    for (const { headers } of answers) {
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
      assert.equal(headers.get('x-powered-by'), null);
      assert.equal(headers.get('server'), null);
      assert.equal(headers.get('set-cookie'), null);
    }
  });

  test('the server logged no error during these tests', () => assert.deepEqual(gallery.complaints(), []));
});
