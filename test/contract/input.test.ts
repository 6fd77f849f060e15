/**
 * Tests validation of request bodies: one response lists every invalid field, and fields that no schema names
 * are refused.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertDone, assertRead, assertRefused } from '../support/assert-answers.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { assertPrototypeUntouched } from '../support/payloads.ts';
import { addAlbum, addPhoto, asVisitor, type Person, register, registerAdmin } from '../support/people.ts';
import { createJpeg } from '../support/pictures.ts';

const json = { 'content-type': 'application/json' };

describe('input', () => {
  let gallery: Gallery;
  let alice: Person;
  let bobby: Person;
  let admin: Person;
  let photo: number;
  let album: number;

  before(async () => {
    gallery = await startGallery();
    alice = await register(gallery, 'alice');
    bobby = await register(gallery, 'bobby');
    admin = await registerAdmin(gallery, 'admin');
    album = await addAlbum(alice, 'Alps');
    photo = (await addPhoto(alice, { title: 'Moon', tags: 'night' })).id;
    await addPhoto(alice, { title: 'Peak', tags: 'alps', album_id: String(album) });
    await addPhoto(alice, { title: 'Hidden', is_public: '0' });
  });
  after(() => gallery.close());

  const titles = async (who: Person, path: string) =>
    assertRead(await who.get(path))
      .list.map(({ title, name }: { title?: string; name?: string }) => title ?? name)
      .sort();

  describe('that no schema names', () => {
    test('ignores unknown fields: neither the list nor the status changes', async () => {
      for (const query of [
        'a=1',
        'user_id=1',
        `user_id=${bobby.id}`,
        'position=1',
        'keywrod=x',
        'page[]=1',
      ]) {
        assert.deepEqual(await titles(bobby, `/api/users/alice/photos?${query}`), ['Moon', 'Peak'], query);
        assert.deepEqual(await titles(bobby, `/api/users/alice/albums?${query}`), ['Alps'], query);
      }
      for (const name of ['tag', 'album_id', 'is_public', 'date_from', 'sort', 'order']) {
        for (const query of [`${name}=a`, `${name}=a&${name}=b`]) {
          assert.equal((await titles(admin, `/api/admin/photos?${query}`)).length, 3, query);
        }
      }
      assert.equal((await titles(alice, '/api/trash?keyword=a&keyword=b')).length, 0);
      assert.equal((await titles(alice, '/api/feed?user_id=a&tag=b&tag=c')).length, 0);
    });

    test('drops unknown fields whose names could reach a prototype', async () => {
      const bodies = [
        '{"__proto__":{"is_admin":true},"title":"Moon"}',
        '{"constructor":{"prototype":{"is_admin":true}},"title":"Moon"}',
        '{"title":"Moon","\\u005f_proto__":{"title":"x"},"tags":["night"]}',
      ];
      for (const body of bodies) {
        assertDone(await alice.send('PUT', `/api/photos/${photo}`, { body, headers: json }));
      }
      assertRead(
        await alice.get('/api/photos?__proto__=1&constructor=1&constructor[prototype]=1&toString=1'),
      );
      const form = new FormData();
      form.append('__proto__', 'x');
      form.append('file', new Blob([new Uint8Array(await createJpeg())]), 'a.jpg');
      assertRefused(await alice.send('POST', '/api/photos/upload', { body: form }), 400, 400);
      assertPrototypeUntouched();
    });
  });

  describe('of the lists of one user', () => {
    test('filters the lists of one user like the public lists', async () => {
      const photos = '/api/users/alice/photos';
      assert.deepEqual(await titles(bobby, `${photos}?keyword=moon`), ['Moon']);
      assert.deepEqual(await titles(bobby, `${photos}?tag=ALPS`), ['Peak']);
      assert.deepEqual(await titles(bobby, `${photos}?album_id=${album}`), ['Peak']);
      assert.deepEqual(await titles(bobby, `${photos}?date_from=2999-01-01`), []);
      assert.deepEqual(await titles(bobby, `${photos}?is_public=1`), ['Moon', 'Peak']);
      assert.deepEqual(await titles(bobby, `${photos}?is_public=0`), []);
      assert.deepEqual(await titles(alice, `${photos}?is_public=0`), ['Hidden']);
      assert.deepEqual(await titles(bobby, '/api/users/bobby/photos?album_id='), []);
      assertRefused(await asVisitor(gallery).get(`${photos}?is_public=0`), 401, 401);
      assertRefused(await bobby.get(`${photos}?album_id=999999`), 404, 30001);
      assert.deepEqual(await titles(bobby, '/api/users/alice/albums?keyword=alp&parent_id=0'), ['Alps']);
      assert.deepEqual(await titles(bobby, `/api/users/alice/albums?parent_id=${album}`), []);
    });

    test("refuses invalid input for the lists of one user with the field's name, never with 500", async () => {
      const query =
        'keyword=a&keyword=b&tag=a&tag=b&album_id=1&album_id=2&is_public=1&is_public=1&date_from=garbage&date_to=2026-02-30';
      for (const who of [alice, bobby, admin, asVisitor(gallery)]) {
        const names = ['keyword', 'tag', 'album_id', 'is_public', 'date_from', 'date_to'];
        assertRefused(await who.get(`/api/users/alice/photos?${query}`), 400, 400, names);
        const albums = '/api/users/alice/albums?keyword=a&keyword=b&parent_id=1&parent_id=2&sort=x';
        assertRefused(await who.get(albums), 400, 400, ['keyword', 'parent_id', 'sort']);
      }
      for (const value of ['abc', '1.5', '-1']) {
        const path = `/api/users/alice/photos?album_id=${value}&is_public=${value}`;
        assertRefused(await alice.get(path), 400, 400, ['album_id', 'is_public']);
      }
    });
  });

  describe('that is wrong', () => {
    test('names invalid fields in path, query and body, and violations of the rules beyond the schema', async () => {
      const day = { gender: 9, birthday: '2999-01-01' };
      const many = Array.from({ length: 31 }, (_, number) => `tag ${number}`);
      const cases: [string, string, object | undefined, string[]][] = [
        ['PUT', '/api/photos/abc', { title: 5 }, ['id', 'title']],
        ['GET', '/api/photos/abc/comments?page=0', undefined, ['id', 'page']],
        ['POST', '/api/photos/abc/edit', { action: 'crop', params: {} }, edit('x', 'y', 'width', 'height')],
        ['POST', '/api/photos/abc/edit', { action: 'resize', params: {} }, edit('width', 'height')],
        ['POST', '/api/photos/abc/edit', { action: 'filter', params: { type: 'blur' } }, edit('value')],
        ['POST', '/api/photos/abc/edit', { action: 'draw' }, ['id', 'action', 'params']],
        ['POST', '/api/photos/abc/revert', { edit_id: 'x' }, ['id', 'edit_id']],
        ['POST', '/api/photos/abc/share', { type: 'x', expires: 0 }, ['id', 'type', 'expires']],
        [
          'POST',
          '/api/photos/abc/comments',
          { content: ' ', parent_id: 'x' },
          ['id', 'content', 'parent_id'],
        ],
        ['PUT', '/api/auth/profile', day, ['gender', 'birthday']],
        ['PUT', `/api/photos/${photo}`, { title: 'x'.repeat(300), tags: many }, ['title', 'tags']],
        ['PUT', `/api/photos/${photo}`, { is_public: 2, tags: ['x'.repeat(51)] }, ['is_public', 'tags']],
        ['POST', '/api/albums', { name: '   ', is_public: 9 }, ['name', 'is_public']],
        ['POST', '/api/albums', { name: '   ', visibility: 'friends' }, ['name', 'visibility']],
        ...['/api/photos/abc', '/api/albums/abc'].flatMap((path): [string, string, object, string[]][] => [
          ['PUT', path, { visibility: 'members', is_public: 1 }, ['id', 'visibility', 'is_public']],
          ['PUT', path, { visibility: 'public', is_public: 0 }, ['id', 'visibility', 'is_public']],
        ]),
        [
          'POST',
          '/api/albums',
          { name: 'x', visibility: 'private', is_public: 1 },
          ['visibility', 'is_public'],
        ],
        ['POST', '/api/photos/batch', { ids: [1], action: 'visibility' }, ['visibility']],
        ['PUT', '/api/albums/x', { name: ' ', cover_id: 'x' }, ['id', 'name', 'cover_id']],
        ['PUT', '/api/albums/x/order', { ids: [1, 1] }, ['id', 'ids']],
        ['DELETE', '/api/albums/x/photos?ids=1,b', undefined, ['id', 'ids.1']],
        ['POST', '/api/webhooks', { url: 'nonsense', events: [] }, ['url', 'events']],
        ['PUT', '/api/webhooks/x', { url: 'http://10.0.0.1/', events: ['x'] }, ['id', 'url', 'events.0']],
        ['POST', '/api/photos/batch', { ids: ['x'], action: 'tag' }, ['ids.0', 'tags']],
        ['POST', '/api/photos/batch', { ids: [], action: 'move' }, ['ids', 'album_id']],
        ['POST', '/api/notifications/read', { ids: ['x'], all: true }, ['ids.0', 'ids']],
        ['PUT', '/api/comments/x', {}, ['id', 'content']],
        ['GET', '/api/users/a.b/photos?page=0', undefined, ['id', 'page']],
        ['POST', '/api/webhooks/x/deliveries/y/redeliver', undefined, ['id', 'delivery_id']],
      ];
      for (const [method, path, body, names] of cases) {
        const options = body && { body: JSON.stringify(body), headers: json };
        assertRefused(await alice.send(method, path, options), 400, 400, names);
      }
      const handling = await admin.post('/api/admin/reports/x/handle', { action: 'burn' });
      assertRefused(handling, 400, 400, ['id', 'action']);
      assertRefused(await admin.put('/api/admin/users/x', { status: 5 }), 400, 400, ['id', 'status']);
    });

    const edit = (...fields: string[]) => ['id', ...fields.map((field) => `params.${field}`)];

    test('names invalid form fields, and a file that is missing, repeated or in another field', async () => {
      const wrong = { title: 'x'.repeat(201), tags: 'a,'.repeat(1), album_id: 'abc', is_public: '2' };
      const tags = Array.from({ length: 31 }, (_, number) => number).join(',');
      const names = ['title', 'album_id', 'is_public', 'tags'];
      assertRefused(await alice.upload(await createJpeg(), { ...wrong, tags }), 400, 400, names);
      const answer = await send({ title: wrong.title, album_id: '' });
      assertRefused(answer, 400, 400, ['title', 'file']);
      const contradiction = { visibility: 'members', is_public: '1' };
      assertRefused(await send(contradiction, ['file']), 400, 400, ['visibility', 'is_public']);
      const twice = await send({ is_public: '2' }, ['file', 'file']);
      assertRefused(twice, 400, 400, ['file', 'is_public']);
      assert.deepEqual(twice.body.errors.file, ['Is given twice']);
      assertRefused(await send({}, ['file', 'picture']), 400, 400, ['picture']);
      const avatar = await send({}, ['avatar'], '/api/auth/avatar');
      assertRefused(avatar, 400, 400, ['avatar', 'file']);
      assert.equal((await titles(alice, '/api/photos?user_id=1&limit=100')).length, 3);
    });

    async function send(fields: Record<string, string>, files: string[] = [], path = '/api/photos/upload') {
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) form.append(name, value);
      for (const name of files) form.append(name, new Blob([new Uint8Array(await createJpeg())]), 'a.jpg');
      return alice.send('POST', path, { body: form });
    }

    test('describes invalid input in plain words that name the allowed values', async () => {
      const wrong = { ids: [1.5, 'x'], action: 'burn' };
      const { errors } = (await alice.post('/api/photos/batch', wrong)).body;
      assert.deepEqual(errors, {
        'ids.0': ['Must be a whole number'],
        'ids.1': ['Must be a whole number'],
        action: [
          'Must be one of delete, restore, purge, move, add, remove, tag, untag, publish, hide, visibility, describe, date, place, rate, favorite, unfavorite',
        ],
      });
      const edits = (await alice.post(`/api/photos/${photo}/edit`, { action: 'burn', params: {} })).body;
      assert.deepEqual(edits.errors, {
        action: ['Must be one of crop, rotate, straighten, flip, resize, filter'],
      });
      const flags = [await alice.post('/api/albums', { name: 'x', is_public: 9 })];
      flags.push(await alice.put(`/api/photos/${photo}`, { is_public: 9 }));
      for (const { body } of flags) assert.deepEqual(body.errors, { is_public: ['Must be one of 0, 1'] });
      // A wrong type or a missing action has one message, which lists the values.
      const texts = (await alice.put(`/api/photos/${photo}`, { is_public: 'true' })).body.errors;
      assert.deepEqual(texts, { is_public: ['Must be one of 0, 1'] });
      const sent = (await send({ is_public: 'true' }, ['file'])).body.errors;
      assert.deepEqual(sent, { is_public: ['Must be one of 0, 1'] });
      const none = (await alice.post(`/api/photos/${photo}/edit`, { params: {} })).body.errors;
      assert.deepEqual(none, edits.errors);
      const filter = { action: 'filter', params: { type: 'burn' } };
      const [message] = (await alice.post(`/api/photos/${photo}/edit`, filter)).body.errors['params.type'];
      assert.match(message, /^Must be one of grayscale, .*shadows$/);
      const reported = (await admin.get('/api/admin/photos?reported=2')).body.errors;
      assert.deepEqual(reported, { reported: ['Must be 1'] });
      const page = (await alice.get('/api/photos?page=0&limit=x&page=1')).body.errors;
      assert.deepEqual(page, { page: ['Is given twice'], limit: ['Must be a whole number'] });
      const events = ['photo.created', 'photo.created'];
      const hook = (await alice.post('/api/webhooks', { url: 'https://example.org/', events })).body.errors;
      assert.deepEqual(hook, { events: ['Must not contain the same value twice'] });
    });

    test('names at most fifty invalid items of one request', async () => {
      const ids = Array.from({ length: 30_000 }, () => 'x');
      const long = await alice.post('/api/photos/batch', { ids, action: 'delete' });
      assertRefused(long, 400, 400, ['ids']);
      assert.deepEqual(long.body.errors.ids, ['Must have at most 100 items']);
      const order = await alice.put(`/api/albums/${album}/order`, { ids: ids.slice(0, 10_000) });
      assert.equal(Object.keys(order.body.errors).length, 50);
      assert.ok(order.bytes.length < 5000, `${order.bytes.length} bytes`);
      const events = Array.from({ length: 30_000 }, () => []);
      const { body } = await alice.post('/api/webhooks', { url: 'https://example.org/', events });
      assert.match(body.errors.events[0], /^Must have at most \d+ items$/);
      const deep = `{"tags":${'['.repeat(30_000)}${']'.repeat(30_000)}}`;
      assertRefused(
        await alice.send('PUT', `/api/photos/${photo}`, { body: deep, headers: json }),
        400,
        400,
        ['tags.0'],
      );
      const keys = JSON.stringify(
        Object.fromEntries(Array.from({ length: 8000 }, (_, key) => [`k${key}`, 1])),
      );
      assertDone(await alice.send('PUT', `/api/photos/${photo}`, { body: keys, headers: json }));
    });
  });

  test('invalid input causes no server error', () => assert.deepEqual(gallery.complaints(), []));
});
