/**
 * Tests limits of smart albums: rules that take too long or have the maximum length, and many smart albums in
 * one response.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { maxCountedSmartAlbums } from '../../../server/gallery/albums/schema.ts';
import { assertDone, assertRead, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { eventually } from '../../support/gallery-counts.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addPhoto, asVisitor, type Person, register, retryUntilServed } from '../../support/people.ts';
import { unzip } from '../../support/zip.ts';

const names = 100_000;

describe('smart albums are bounded', () => {
  let gallery: Gallery;
  let ann: Person;
  let bea: Person;
  let visitor: Person;

  before(async () => {
    gallery = await startGallery();
    ann = await register(gallery, 'ann');
    bea = await register(gallery, 'bea');
    visitor = asVisitor(gallery);
    await addPhoto(ann, { title: 'harbour', tags: 'sea' });
  });
  after(() => gallery?.close());

  const addSmart = async (who: Person, name: string, rule: string): Promise<number> =>
    assertWritten(await who.post('/api/albums', { name, rule })).id;

  test('counts smart albums of a response up to a limit, and marks the others as uncounted', async () => {
    for (let n = 0; n <= maxCountedSmartAlbums; n++) await addSmart(bea, `Many ${n}`, 'tag:sea');
    // Repeats the request, because on a busy machine the time limit may pass before all albums are counted.
    await eventually(async () => {
      const { list } = assertRead(await visitor.get(`/api/albums?user_id=${bea.id}&limit=100&order=asc`));
      const counts = list.map((album: { photo_count: number | null }) => album.photo_count);
      assert.deepEqual(counts, [...Array(maxCountedSmartAlbums).fill(0), null]);
      assert.equal(assertRead(await visitor.get(`/api/albums/${list.at(-1).id}`)).photo_count, 0);
    });
  });

  test('answers rules of the maximum length and depth in every request', async () => {
    const eve = await register(gallery, 'eve');
    await addPhoto(eve, { title: 'harbour', tags: 'sea' });
    const nested = (inner: string) => `${'-('.repeat(4)}${inner}${')'.repeat(4)}`;
    const conditions = Array.from({ length: 29 }, (_, n) => `${'abc'[n % 3]}${n}`).join(' OR ');
    const rules = [nested(`${conditions} OR tag:sea`), `harb ${'-is:private '.repeat(29)}`];
    const albums: number[] = [];
    for (let n = 0; n < 4; n++) albums.push(await addSmart(eve, `Long ${n}`, rules[n % 2]!));
    // Repeats the request, because planning these rules takes long on a busy machine, and then the counts are
    // null at first.
    await eventually(async () => {
      const { list } = assertRead(await visitor.get(`/api/albums?user_id=${eve.id}`));
      const counts = list.map((album: { photo_count: number | null }) => album.photo_count);
      assert.deepEqual(counts, [1, 1, 1, 1]);
    });
    const three = [0, 1, 2].map((n) => `album:${albums[n]}`).join(' ');
    const q = encodeURIComponent(`${three} -x1 -x2 -x3 harb`);
    for (const path of ['/api/photos?', `/api/albums/${albums[3]}/photos?`]) {
      const answer = await retryUntilServed(() => eve.get(`${path}q=${q}`));
      assert.equal(assertRead(answer).pagination.total, 1);
    }
    const facets = await retryUntilServed(() => visitor.get(`/api/facets?album_id=${albums[0]}&q=${q}`));
    assert.equal(assertRead(facets).users.length, 1);
  });

  test('a rule that exceeds the time limit ends requests for its photos with 503, but shows the album', async () => {
    if (gallery.deps.db.name === 'sqlite') await slowGear();
    const slow = await addSmart(ann, 'Slow', Array.from({ length: 30 }, () => 'camera:aaaab').join(' OR '));
    const quick = await addSmart(ann, 'Quick', 'tag:sea');
    const { url } = assertWritten(await ann.post(`/api/albums/${slow}/share`, { type: 'link' }));
    const token = url.split('/').at(-1);
    await whileSlow(async () => {
      for (const path of [
        `/api/albums/${slow}/photos`,
        `/api/photos?album_id=${slow}`,
        `/api/photos?q=album:${slow}`,
        `/api/timeline?album_id=${slow}`,
        `/api/facets?album_id=${slow}`,
        `/api/albums/${slow}/download`,
        `/api/shares/${token}`,
        `/api/shares/${token}/download`,
      ]) {
        assertRefused(await visitor.get(path), 503, 503);
      }
      // A visitor who opens the page of the share link gets an HTML error page.
      const shared = await visitor.get(`/s/${token}`);
      assert.equal(shared.status, 503);
      assert.match(shared.headers.get('content-type') ?? '', /^text\/html/);
      const { photo_count, cover } = assertRead(await visitor.get(`/api/albums/${slow}`));
      assert.deepEqual([photo_count, cover], [null, '']);
      const { list } = assertRead(await visitor.get(`/api/albums?user_id=${ann.id}`));
      assert.deepEqual(
        list.map(({ name }: { name: string }) => name),
        ['Quick', 'Slow'],
      );
      assert.equal(assertRead(await visitor.get(`/api/albums/${quick}/photos`)).pagination.total, 1);
    });
    assertWritten(await ann.put(`/api/albums/${slow}`, { rule: 'tag:sea' }));
    assert.equal(assertRead(await visitor.get(`/api/albums/${slow}`)).photo_count, 1);
    assertDone(await ann.delete(`/api/albums/${slow}`));
  });

  test('the ZIP of a smart album uses the rule of its start, and omits photos that are then hidden', async () => {
    const dan = await register(gallery, 'dan');
    const titles = Array.from({ length: 5 }, (_, n) => `photo ${n}`);
    const ids: number[] = [];
    for (const title of titles) ids.push((await addPhoto(dan, { title, tags: 'sea' })).id);
    const album = await addSmart(dan, 'Changing', 'tag:sea');
    const { storage } = gallery.deps;
    const open = storage.open.bind(storage);
    let opened = 0;
    const changed = Promise.withResolvers<void>();
    storage.open = async (...wanted: Parameters<typeof open>) => {
      if (opened++ === 0) {
        // Changes the rule and the photos while the first file is being sent. The next files must follow the
        // changes.
        assertWritten(await dan.put(`/api/albums/${album}`, { rule: 'tag:land' }));
        assertDone(await dan.put(`/api/photos/${ids[1]}`, { is_public: 0 }));
        assertDone(await dan.delete(`/api/photos/${ids[2]}`));
        changed.resolve();
      }
      return open(...wanted);
    };
    try {
      const { bytes } = await visitor.get(`/api/albums/${album}/download`);
      await changed.promise;
      const { files } = await unzip(bytes);
      assert.deepEqual([...files.keys()], ['photo 4.jpg', 'photo 3.jpg', 'photo 0.jpg']);
    } finally {
      storage.open = open;
    }
    assert.equal(assertRead(await visitor.get(`/api/albums/${album}/photos`)).pagination.total, 0);
  });

  test('the server logged no error during these tests', () => {
    const others = gallery.complaints().filter((line) => !line.includes('QueryTooSlow'));
    assert.deepEqual(others, []);
  });

  /** Adds equipment names that nearly match the pattern at every character, which makes the rule slow. */
  async function slowGear(): Promise<void> {
    await sql`INSERT INTO equipment_names (name, name_key)
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${names})
      SELECT i, ${'a'.repeat(200)} || i FROM n`.execute(gallery.deps.db.kysely);
  }

  /** Runs `work` while the rule is slow. On PostgreSQL, a table lock makes the rule wait. */
  function whileSlow(work: () => Promise<void>): Promise<void> {
    const { db } = gallery.deps;
    if (db.name === 'sqlite') return work();
    return db.kysely.transaction().execute(async (transaction) => {
      // Turns off the idle timeout for this transaction, which is idle for longer than Lightwell's
      // transactions may be.
      await sql`SET LOCAL idle_in_transaction_session_timeout = 0`.execute(transaction);
      await sql`LOCK TABLE equipment_names IN ACCESS EXCLUSIVE MODE`.execute(transaction);
      await work();
    });
  }
});
