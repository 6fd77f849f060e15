/**
 * Tests simultaneous requests for one name, one photo or one counter. Afterwards the counts and the history
 * must be right.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  countHoldings,
  listReferencedObjects,
  listStoredObjects,
  listTemporaryFiles,
} from '../support/gallery-counts.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import {
  type Answer,
  asVisitor,
  type Person,
  password,
  register,
  retryUntilServed,
} from '../support/people.ts';
import { createJpeg, createLandmarks } from '../support/pictures.ts';

/** Number of rounds of a deletion, which starts after 0 to 5 of the other requests. */
const rounds = 6;

describe('at the same time', () => {
  let gallery: Gallery;
  let owner: Person;
  let others: Person[];
  let picture: Buffer;

  before(async () => {
    gallery = await startGallery();
    owner = await register(gallery, 'owner');
    others = await Promise.all(
      Array.from({ length: 10 }, (_, number) => register(gallery, `other${number}`)),
    );
    picture = await createJpeg();
  });
  after(() => gallery?.close());

  const place = () => gallery.deps;

  async function uploaded(fields: Record<string, string> = {}): Promise<number> {
    const { status, body } = await owner.upload(picture, fields);
    assert.equal(status, 200, JSON.stringify(body));
    return body.data.id;
  }

  async function detail(id: number) {
    return (await owner.get(`/api/photos/${id}`)).body.data;
  }

  test('registers one of fifty simultaneous accounts with the same name in different spellings', async () => {
    const names = ['racer', 'Racer', 'RACER', 'rAcEr', 'raceR'];
    const answers = await times(50, (number) =>
      asVisitor(gallery).post('/api/auth/register', {
        username: names[number % names.length],
        email: `racer${number}@example.org`,
        password,
      }),
    );
    assert.deepEqual(countCodes(answers), { 0: 1, 10001: 49 });
    const rows = await place()
      .db.kysely.selectFrom('users')
      .select('id')
      .where('username_key', '=', 'racer')
      .execute();
    assert.equal(rows.length, 1);
  });

  test('registers one of thirty simultaneous accounts with the same email', async () => {
    const answers = await times(30, (number) =>
      asVisitor(gallery).post('/api/auth/register', {
        username: `mail${number}`,
        email: number % 2 ? 'One@Example.org' : 'one@example.ORG',
        password,
      }),
    );
    assert.deepEqual(countCodes(answers), { 0: 1, 10002: 29 });
  });

  test('accepts twenty simultaneous uploads of the same file', async () => {
    const before = await countHoldings(place());
    const answers = await times(20, (number) => others[number % 10]!.upload(picture));
    assert.deepEqual(countCodes(answers), { 0: 20 });
    const ids = new Set(answers.map(({ body }) => body.data.id));
    assert.equal(ids.size, 20);
    for (const { body } of answers) assert.equal((await asVisitor(gallery).get(body.data.thumb)).status, 200);
    const { photos, temporary } = await countHoldings(place());
    assert.deepEqual([photos - before.photos, temporary], [20, 0]);
    const { pagination } = (await asVisitor(gallery).get('/api/photos')).body.data;
    assert.equal(pagination.total, photos);
  });

  test('fifty simultaneous likes of one person leave a state that matches the count', async () => {
    const id = await uploaded();
    for (const [action, is, counter] of [
      ['like', 'is_liked', 'likes'],
      ['favorite', 'is_favorited', 'favorites'],
    ] as const) {
      for (const [calls, isSet] of [
        [50, false],
        [51, true],
      ] as const) {
        const answers = await times(calls, () => owner.post(`/api/photos/${id}/${action}`));
        assert.deepEqual(countCodes(answers), { 0: calls });
        assert.ok(answers.every(({ body }) => body.data[counter] === (body.data[is] ? 1 : 0)));
        const photo = await detail(id);
        assert.deepEqual([photo[is], photo[counter]], [isSet, isSet ? 1 : 0]);
      }
    }
  });

  test('counts the simultaneous likes and favorites of ten people for one photo', async () => {
    const id = await uploaded();
    const actions = others.flatMap((person) => [
      () => person.post(`/api/photos/${id}/like`),
      () => person.post(`/api/photos/${id}/favorite`),
    ]);
    assert.deepEqual(countCodes(await Promise.all(actions.map((act) => act()))), { 0: 20 });
    const { likes, favorites } = await detail(id);
    assert.deepEqual([likes, favorites], [10, 10]);
    const rows = await place().db.kysely.selectFrom('likes').selectAll().where('photo_id', '=', id).execute();
    assert.equal(rows.length, 10);
  });

  test('counts three hundred simultaneous views as three hundred', async () => {
    const id = await uploaded();
    for (let hundred = 0; hundred < 3; hundred++) {
      const answers = await times(100, () => asVisitor(gallery).get(`/api/photos/${id}`));
      assert.deepEqual(countCodes(answers), { 0: 100 });
    }
    await gallery.deps.db.counters.flush();
    assert.equal((await detail(id)).views, 301);
    await gallery.deps.db.counters.flush();
    const row = await place()
      .db.kysely.selectFrom('photo_views')
      .select('views')
      .where('photo_id', '=', id)
      .executeTakeFirst();
    assert.equal(row?.views, 301);
  });

  test('counts fifty simultaneous downloads as fifty, and sends each one completely', async () => {
    const id = await uploaded();
    const answers = await times(50, () => owner.get(`/api/photos/${id}/download`));
    assert.ok(answers.every(({ bytes }) => bytes.equals(picture)));
    await gallery.deps.db.counters.flush();
    assert.equal((await detail(id)).downloads, 50);
  });

  test('fifty simultaneous changes leave one photo in the state of one change', async () => {
    const id = await uploaded();
    const change = (number: number) => ({
      title: `title ${number}`,
      tags: [`tag ${number}`],
      is_public: number % 2,
    });
    const put = (number: number) => retryUntilServed(() => owner.put(`/api/photos/${id}`, change(number)));
    const answers = await times(50, put);
    assert.deepEqual(countCodes(answers), { 0: 50 });
    const photo = await detail(id);
    const number = Number(photo.title.split(' ')[1]);
    assert.deepEqual([photo.tags, photo.is_public], [[`tag ${number}`], number % 2]);
    const found = (await owner.get(`/api/photos?keyword=${encodeURIComponent(photo.title)}`)).body.data;
    assert.deepEqual(
      found.list.map((item: { id: number }) => item.id),
      [id],
    );
    assert.equal(found.pagination.total, 1);
    await assertTotals();
  });

  test('two and then twenty simultaneous edits of one photo leave a complete history', async () => {
    const { body } = await owner.upload(await createLandmarks(30, 20));
    const { id } = body.data;
    for (const calls of [2, 20]) {
      const before = (await owner.get(`/api/photos/${id}/edits`)).body.data.list.length;
      const rotate = { action: 'rotate', params: { angle: 90 } };
      const answers = await times(calls, () => owner.post(`/api/photos/${id}/edit`, rotate));
      const codes = countCodes(answers);
      const done = codes[0] ?? 0;
      assert.equal(done + (codes[503] ?? 0), calls, JSON.stringify(codes));
      assert.ok(done >= 2);
      const { list } = (await owner.get(`/api/photos/${id}/edits`)).body.data;
      assert.equal(list.length, before + done);
      const { width, height, path } = await detail(id);
      assert.deepEqual([width, height], list.length % 2 ? [20, 30] : [30, 20]);
      assert.equal((await asVisitor(gallery).get(path)).status, 200);
      const paths = answers.filter(({ status }) => status === 200).map((answer) => answer.body.data.path);
      assert.equal(new Set(paths).size, done, 'every edit has an image of its own');
    }
  });

  test('deleting a photo while others read, edit, like and share the photo causes no server error', async () => {
    for (let round = 0; round < rounds; round++) {
      const id = await uploaded();
      const path = `/api/photos/${id}`;
      const work = [
        () => owner.get(`${path}/download`),
        () => owner.post(`${path}/edit`, { action: 'flip', params: { direction: 'h' } }),
        () => others[0]!.post(`${path}/like`),
        () => others[1]!.post(`${path}/favorite`),
        () => owner.post(`${path}/share`, { type: 'link' }),
        () => owner.put(path, { title: 'late', tags: ['late'] }),
      ];
      const deletion = () => owner.delete(path);
      const all = [...work.slice(0, round % 6), deletion, ...work.slice(round % 6)];
      const answers = await Promise.all(all.map((act) => act()));
      for (const { status, body, bytes } of answers) {
        assert.ok([200, 404].includes(status), `${status} ${JSON.stringify(body)}`);
        if (status === 200 && body.code === undefined) assert.deepEqual(bytes, picture);
        if (status === 404) assert.equal(body.code, 20003);
      }
      assert.equal(answers[all.indexOf(deletion)]!.status, 200);
      assert.equal((await owner.get(path)).body.code, 20003);
    }
    const removals = await place().db.kysely.selectFrom('removals').select('object').execute();
    const due = new Set(removals.map(({ object }) => object));
    const onDisk = (await listStoredObjects(place())).filter((name) => !due.has(name));
    assert.deepEqual(onDisk, await listReferencedObjects(place()));
    await assertTotals();
  });

  test('one of many simultaneous deletions of a photo succeeds', async () => {
    const id = await uploaded();
    const answers = await times(20, () => owner.delete(`/api/photos/${id}`));
    assert.deepEqual(countCodes(answers), { 0: 1, 20003: 19 });
    await assertTotals();
  });

  test('logging out during a request of the same user ends the session', async () => {
    const { body } = await asVisitor(gallery).post('/api/auth/login', { username: 'other9', password });
    const headers = { authorization: `Bearer ${body.data.token}` };
    const calls = times(20, () => asVisitor(gallery).get('/api/auth/user', headers));
    const logout = await asVisitor(gallery).send('POST', '/api/auth/logout', { headers });
    assert.equal(logout.status, 200);
    for (const { status, body } of await calls) assert.ok(status === 200 || body.code === 10006);
    assert.equal((await asVisitor(gallery).get('/api/auth/user', headers)).body.code, 10006);
  });

  test('simultaneous requests leave nothing behind and log no error except busy errors', async () => {
    assert.deepEqual(await listTemporaryFiles(place().config.dataDir), []);
    assert.deepEqual(
      gallery.complaints().filter((line) => JSON.parse(line).level >= 50),
      [],
    );
  });

  /** Asserts that the stored totals agree with the rows that they count. */
  async function assertTotals(): Promise<void> {
    const { kysely } = place().db;
    const rows = await kysely.selectFrom('photos').select(['user_id', 'visibility']).execute();
    const totals = await kysely.selectFrom('photo_totals').selectAll().execute();
    for (const { user_id, visibility, n } of totals) {
      const counted = rows.filter(
        (row) => row.visibility === visibility && (user_id === 0 || row.user_id === user_id),
      );
      assert.equal(n, counted.length, `photos of ${user_id} with visibility ${visibility}`);
    }
  }
});

function times(count: number, work: (number: number) => Promise<Answer>): Promise<Answer[]> {
  return Promise.all(Array.from({ length: count }, (_, number) => work(number)));
}

function countCodes(answers: Answer[]): Record<number, number> {
  const codes: Record<number, number> = {};
  for (const { status, body } of answers) {
    const code = body.code ?? status;
    codes[code] = (codes[code] ?? 0) + 1;
  }
  return codes;
}
