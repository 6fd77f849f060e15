/** Tests malicious names, ids, lists, texts and edits: each gets the right response and does no harm. */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { cleanLine } from '../../../server/platform/schema/line.ts';
import { countHoldings, listReferencedObjects, listStoredObjects } from '../../support/gallery-counts.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import {
  assertNamesField,
  assertNoLeak,
  assertPrototypeUntouched,
  describeValue,
  payloads,
  withoutPayloads,
} from '../../support/payloads.ts';
import { asVisitor, type Person, register } from '../../support/people.ts';
import { createJpeg } from '../../support/pictures.ts';

const day = /^\d{4}-\d\d-\d\d$/;
const sorts = 'create_time update_time taken_time views likes favorites downloads size title'.split(' ');

describe('nasty values', { skip: withoutPayloads }, () => {
  let gallery: Gallery;
  let mallory: Person;
  let picture: Buffer;
  let id: number;

  before(async () => {
    gallery = await startGallery();
    mallory = await register(gallery, 'mallory');
    picture = await createJpeg();
    id = (await mallory.upload(picture, { title: 'plain', description: 'nothing here' })).body.data.id;
  });
  after(() => gallery?.close());
  afterEach(assertPrototypeUntouched);

  test('hostile file names become no paths and split no header', async () => {
    const before = await countHoldings(gallery.deps);
    for (const name of payloads.filenames) {
      const answer = await mallory.upload(picture, {}, name);
      // Undici drops an empty file name from the form, so the part is not a file.
      if (answer.status !== 200) assertNamesField('file', answer, name);
      if (answer.status !== 200) continue;
      assertNoLeak(answer, name);
      const { title, path, id: made } = answer.body.data;
      assert.doesNotMatch(title, /[\u0000-\u001f\u202e/\\]/, describeValue(name));
      assert.match(path, /^\/storage\/[0-9a-f]{32}\.original\.jpg$/);
      const { headers } = await mallory.get(`/api/photos/${made}/download`);
      assert.match(headers.get('content-disposition')!, /^attachment; filename="?[^"\r\n/\\]+\.jpg"?/);
      assert.equal(headers.get('set-cookie'), null);
      assert.equal(headers.get('content-type'), 'image/jpeg');
    }
    const now = await countHoldings(gallery.deps);
    assert.ok(now.photos - before.photos > 30);
    assert.equal(now.temporary, 0);
    assert.deepEqual(await listStoredObjects(gallery.deps), await listReferencedObjects(gallery.deps));
  });

  test("hostile ids answer 400 with the field's name, or 20003", async () => {
    const calls = [
      (path: string) => asVisitor(gallery).get(path),
      (path: string) => mallory.put(path, { title: 'changed' }),
      (path: string) => mallory.delete(path),
      (path: string) => mallory.post(`${path}/like`),
      (path: string) => mallory.post(`${path}/edit`, { action: 'rotate', params: { angle: 90 } }),
      (path: string) => mallory.post(`${path}/share`, { type: 'link' }),
      (path: string) => mallory.get(`${path}/download`),
    ];
    for (const value of payloads.ids) {
      const isId = /^[1-9]\d*$/.test(value) && Number.isSafeInteger(Number(value));
      for (const call of calls) {
        const answer = await call(`/api/photos/${encodeURIComponent(value)}`);
        assertNoLeak(answer, value);
        if (isId) assert.equal(answer.body.code, 20003, describeValue(value));
        else assertNamesField('id', answer, value);
      }
    }
    assert.equal((await mallory.get(`/api/photos/${id}`)).body.data.title, 'plain');
  });

  test("a hostile page or limit answers 400 with the field's name, or a page of the list", async () => {
    for (const value of payloads.pages_limits) {
      const queries = value.includes('=')
        ? [value]
        : [`page=${encodeURIComponent(value)}`, `limit=${encodeURIComponent(value)}`];
      for (const query of queries) {
        const answer = await mallory.get(`/api/photos?${query}`);
        assertNoLeak(answer, query);
        const field = query.split(/[=[]/)[0]!;
        const isNumber = /^[1-9]\d*$/.test(value);
        if (isNumber && field === 'limit') {
          assert.equal(answer.body.data.pagination.limit, 100);
        } else if (query === `${field}=`) assert.equal(answer.status, 200, query);
        else if (!value.includes('[')) assertNamesField(field, answer, query);
      }
    }
  });

  test("a hostile sort or order answers 400 with the field's name", async () => {
    for (const [field, good] of [
      ['sort', sorts],
      ['order', ['asc', 'desc']],
    ] as const) {
      for (const value of payloads[field]) {
        const answer = await mallory.get(`/api/photos?${field}=${encodeURIComponent(value)}`);
        assertNoLeak(answer, value);
        if (value === '' || good.includes(value as never)) assert.equal(answer.status, 200);
        else assertNamesField(field, answer, value);
      }
    }
  });

  test('a hostile keyword or tag is found literally or answers 400', async () => {
    const found = (await mallory.upload(picture, { title: 'found' })).body.data.id;
    for (const value of payloads.keywords) {
      const query = encodeURIComponent(value);
      const byKeyword = () => mallory.get(`/api/photos?limit=100&keyword=${query}`);
      if (!isText(value, 100)) {
        assertNamesField('keyword', await byKeyword(), value);
        assertNamesField('tag', await mallory.get(`/api/photos?tag=${query}`), value);
        continue;
      }
      const change = { description: `one ${value} two`, tags: value.length > 50 ? [] : [value] };
      assert.equal((await mallory.put(`/api/photos/${found}`, change)).status, 200, describeValue(value));
      const answer = await byKeyword();
      assertNoLeak(answer, value);
      const ids = answer.body.data.list.map((photo: { id: number }) => photo.id);
      // Characters that nobody sees are no part of a search.
      const isVisible = !/^\p{Default_Ignorable_Code_Point}*$/u.test(value);
      assert.ok(ids.includes(found) || !isVisible, `${describeValue(value)} is not found`);
      assert.ok(!ids.includes(id), `${describeValue(value)} finds what it should not`);
      const byTag = await mallory.get(`/api/photos?tag=${query}`);
      assertNoLeak(byTag, value);
      assert.deepEqual(
        byTag.body.data.list.map((photo: { id: number }) => photo.id),
        value.length > 50 || cleanLine(value) === '' ? [] : [found],
        describeValue(value),
      );
    }
    await mallory.delete(`/api/photos/${found}`);
  });

  test("hostile days answer 400 with the field's name, or the list", async () => {
    for (const value of payloads.dates) {
      for (const field of ['date_from', 'date_to']) {
        const answer = await mallory.get(`/api/photos?${field}=${encodeURIComponent(String(value))}`);
        assertNoLeak(answer, value);
        if (value === '' || isDay(value)) assert.equal(answer.status, 200, describeValue(value));
        else assertNamesField(field, answer, value);
      }
    }
  });

  test("a hostile title is stored as one line, a description unchanged, or the answer is 400 with the field's name", async () => {
    for (const value of payloads.strings) {
      for (const [field, max] of [
        ['title', 200],
        ['description', 2000],
      ] as const) {
        const answer = await mallory.put(`/api/photos/${id}`, { [field]: value });
        assertNoLeak(answer, value);
        if (isText(value, max)) {
          assert.equal(answer.status, 200, describeValue(value));
          const stored = (await asVisitor(gallery).get(`/api/photos/${id}`)).body.data[field];
          assert.equal(stored, field === 'title' ? cleanLine(value) : value);
        } else if (value.length > 100_000) assert.equal(answer.status, 413);
        else assertNamesField(field, answer, value);
      }
    }
    await mallory.put(`/api/photos/${id}`, { title: 'plain', description: 'nothing here' });
  });

  test("hostile tags are cleaned or answer 400 with the field's name", async () => {
    for (const value of payloads.tags) {
      const expected = parseTags(value);
      const uploaded = await mallory.upload(picture, { tags: value });
      const changed = await mallory.put(`/api/photos/${id}`, { tags: value.split(',') });
      for (const answer of [uploaded, changed]) assertNoLeak(answer, value);
      if (!expected) {
        for (const answer of [uploaded, changed]) assertNamesField('tags', answer, value);
        continue;
      }
      const { tags } = (await mallory.get(`/api/photos/${uploaded.body.data.id}`)).body.data;
      assert.deepEqual(tags, expected, describeValue(value));
      if (value.length > 1000) assertNamesField('tags', changed, 'thousands of tags');
      else assert.deepEqual((await mallory.get(`/api/photos/${id}`)).body.data.tags, expected);
    }
  });

  test("hostile edits answer 400 with the field's name and leave the photo unchanged", async () => {
    const before = await countHoldings(gallery.deps);
    const { path } = (await mallory.get(`/api/photos/${id}`)).body.data;
    for (const value of payloads.edit_actions) {
      const answer = await mallory.post(`/api/photos/${id}/edit`, value);
      assertNoLeak(answer, value);
      assert.equal(answer.status, 400, describeValue(value));
      assert.ok(Object.keys(answer.body.errors).length > 0, describeValue(value));
    }
    assert.deepEqual(await countHoldings(gallery.deps), before);
    assert.equal((await mallory.get(`/api/photos/${id}`)).body.data.path, path);
    assert.deepEqual((await mallory.get(`/api/photos/${id}/edits`)).body.data.list, []);
  });

  test("a hostile expiry of a share answers 400 with the field's name, or counts as days", async () => {
    for (const expires of payloads.expires) {
      const answer = await mallory.post(`/api/photos/${id}/share`, { type: 'link', expires });
      assertNoLeak(answer, expires);
      const isDays = Number.isInteger(expires) && Number(expires) >= 1 && Number(expires) <= 3650;
      if (isDays || expires === null) assert.equal(answer.status, 200, describeValue(expires));
      else assertNamesField('expires', answer, expires);
    }
  });

  test('hostile values cause no server error', () => assert.deepEqual(gallery.complaints(), []));
});

/**
 * Tells whether a text is valid. `max` counts characters, not UTF-16 code units. Control characters and
 * broken Unicode are refused.
 */
function isText(value: string, max: number): boolean {
  const hasControl = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.test(value);
  return [...value].length <= max && !hasControl && value.isWellFormed();
}

function isDay(value: unknown): boolean {
  if (typeof value !== 'string' || !day.test(value)) return false;
  const time = Date.parse(`${value}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value);
}

/**
 * Returns the tags trimmed and without duplicates in their order, or undefined if the server must refuse
 * them.
 */
function parseTags(value: string): string[] | undefined {
  const tags = value.split(',').map((tag) => tag.trim());
  const kept = tags.filter((tag) => tag !== '');
  const first = kept.filter(
    (tag, at) => kept.findIndex((other) => other.toLowerCase() === tag.toLowerCase()) === at,
  );
  return first.length <= 30 && first.every((tag) => isText(tag, 50)) ? first : undefined;
}
