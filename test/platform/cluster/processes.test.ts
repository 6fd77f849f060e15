/**
 * Tests three processes on one PostgreSQL and one S3 store: every process sees a change by any of them at
 * once.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { addAlbum, addPhoto, asVisitor, type Person, password, register } from '../../support/people.ts';
import { type Processes, startProcesses } from './gallery.ts';

describe('three processes on one PostgreSQL and one S3', () => {
  let gallery: Processes;
  let ann: Person;

  before(async () => {
    gallery = await startProcesses(3, {});
    ann = await register(gallery.servers[0]!, 'ann');
  });
  after(() => gallery?.close());

  /** Returns the status of each process for the same simultaneous request. */
  const statuses = async (people: Person[], path: string) =>
    (await Promise.all(people.map((one) => one.get(path)))).map(({ status }) => status);
  const strangers = () => gallery.servers.map((server) => asVisitor(server));

  test('a session that was ended on one is dead on all', async () => {
    const bob = await register(gallery.servers[1]!, 'bob');
    const bobs = gallery.everywhere(bob);
    for (let round = 0; round < 3; round++) {
      assert.deepEqual(await statuses(bobs, '/api/auth/user'), [200, 200, 200]);
    }
    assert.equal((await bobs[1]!.post('/api/auth/logout')).status, 200);
    assert.deepEqual(await statuses(bobs, '/api/auth/user'), [401, 401, 401]);
  });

  test('a key that was deleted on one is dead on all, and so is every session after a new password', async () => {
    const [one, two, three] = gallery.everywhere(ann) as [Person, Person, Person];
    const { body } = await one.post('/api/auth/tokens', { name: 'robot', scopes: ['read'] });
    assert.equal(body.code, 0, JSON.stringify(body));
    const robots = gallery.everywhere({ ...ann, token: body.data.token });
    assert.deepEqual(await statuses(robots, '/api/photos'), [200, 200, 200]);
    assert.equal((await two.delete(`/api/auth/tokens/${body.data.id}`)).status, 200);
    assert.deepEqual(await statuses(robots, '/api/photos'), [401, 401, 401]);

    const login = await asVisitor(gallery.servers[2]!).post('/api/auth/login', {
      username: 'ann',
      password,
    });
    const elsewhere = gallery.everywhere({ ...ann, token: login.body.data.token });
    assert.deepEqual(await statuses(elsewhere, '/api/auth/user'), [200, 200, 200]);
    const change = { old_password: password, new_password: `${password} anew` };
    assert.equal((await three.put('/api/auth/password', change)).status, 200);
    assert.deepEqual(await statuses(elsewhere, '/api/auth/user'), [401, 401, 401]);
    assert.deepEqual(await statuses([one, two, three], '/api/auth/user'), [200, 200, 200]);
  });

  test('a photo that was hidden on one is hidden on all: detail, lists, counts and bytes', async () => {
    const [one, two, three] = gallery.everywhere(ann) as [Person, Person, Person];
    const album = await addAlbum(one, 'album');
    const photo = await addPhoto(two, { title: 'to hide', tags: 'hideaway', album_id: String(album) });
    const totals = async () =>
      (await Promise.all(strangers().map((who) => who.get('/api/photos?keyword=hide')))).map(
        ({ body }) => body.data.pagination.total,
      );
    for (const path of [`/api/photos/${photo.id}`, photo.path, photo.thumb]) {
      assert.deepEqual(await statuses(strangers(), path), [200, 200, 200], path);
    }
    assert.deepEqual(await totals(), [1, 1, 1]);

    for (const hide of [
      () => three.put(`/api/photos/${photo.id}`, { is_public: 0 }),
      () => one.put(`/api/albums/${album}`, { is_public: 0 }),
    ]) {
      assert.equal((await hide()).status, 200);
      for (const path of [`/api/photos/${photo.id}`, photo.path, photo.thumb]) {
        assert.deepEqual(await statuses(strangers(), path), [403, 403, 403], path);
      }
      assert.deepEqual(await totals(), [0, 0, 0]);
      const { body } = await asVisitor(gallery.servers[0]!).get('/api/tags?keyword=hideaway');
      assert.equal(body.data.list.length, 0);
      assert.equal((await two.put(`/api/photos/${photo.id}`, { is_public: 1 })).status, 200);
      // In the second round, only the private album hides the photo, whose own setting is public.
    }
    assert.deepEqual(await totals(), [0, 0, 0], 'its album still hides it');
    assert.equal((await two.put(`/api/albums/${album}`, { is_public: 1 })).status, 200);
    assert.deepEqual(await totals(), [1, 1, 1]);
    assert.equal((await two.delete(`/api/photos/${photo.id}`)).status, 200);
    assert.deepEqual(await statuses(strangers(), `/api/photos/${photo.id}`), [404, 404, 404]);
    assert.ok((await statuses(strangers(), photo.path)).every((status) => status === 403 || status === 404));
  });

  test('give a name to one of a hundred who want it at once', async () => {
    const names = ['racer', 'Racer', 'RACER', 'rAcEr'];
    const codes = await Promise.all(
      Array.from({ length: 100 }, async (_, number) => {
        const wanted = {
          username: names[number % names.length],
          email: `racer${number}@example.org`,
          password,
        };
        for (;;) {
          const { status, body } = await strangers()[number % 3]!.post('/api/auth/register', wanted);
          // A busy server answers 503 and asks the client to come back, so the test tries again.
          if (status !== 503) return body.code;
        }
      }),
    );
    assert.equal(codes.filter((code) => code === 0).length, 1);
    assert.equal(codes.filter((code) => code === 10001).length, 99);
  });

  test('likes, views and counts of all of them add up', async () => {
    const photo = await addPhoto(ann, { title: 'counted' });
    const fans = await Promise.all(
      Array.from({ length: 9 }, (_, number) => register(gallery.servers[number % 3]!, `fan${number}`)),
    );
    await Promise.all(fans.map((fan) => fan.post(`/api/photos/${photo.id}/like`)));
    await Promise.all(
      fans.flatMap((fan) => gallery.everywhere(fan).map((one) => one.get(`/api/photos/${photo.id}`))),
    );
    const { body } = await ann.get(`/api/photos/${photo.id}`);
    assert.equal(body.data.likes, 9);
    const edits = await Promise.all(
      gallery
        .everywhere(ann)
        .map((one) => one.post(`/api/photos/${photo.id}/edit`, { action: 'rotate', params: { angle: 90 } })),
    );
    const accepted = edits.filter(({ status }) => status === 200).length;
    assert.ok(
      edits.every(({ status }) => status === 200 || status === 503),
      edits.map(({ status }) => status).join(),
    );
    assert.equal((await ann.get(`/api/photos/${photo.id}/edits`)).body.data.list.length, accepted);
  });
});
