/** Slow searches of one caller do not delay other callers. The server refuses searches when too many wait. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { runForCaller } from '../../../server/platform/concurrency/fair-order.ts';
import { assertRefused } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addPhoto, asVisitor, type Person, register } from '../../support/people.ts';

const flood = 45;

describe('slow reads', () => {
  let gallery: Gallery;
  let ann: Person;
  let done = 0;

  before(async () => {
    gallery = await startGallery();
    ann = await register(gallery, 'ann');
    await addPhoto(ann, { title: 'harbour' });
  });
  after(() => gallery?.close());

  /** Runs a read of about ten milliseconds on behalf of Ann's requests. */
  function readSlowly(): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const heavy = sql`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
      SELECT count(*) FROM n`;
    runForCaller({ name: `u${ann.id}`, address: '127.0.0.1' }, () => {
      heavy.execute(gallery.deps.db.slow()).then(resolve, reject);
    });
    return promise.then(() => done++);
  }

  test('slow reads do not delay the search of another caller', async () => {
    done = 0;
    const reads = Array.from({ length: flood }, readSlowly);
    const answer = await asVisitor(gallery).get('/api/photos?keyword=harbour');
    const before = done;
    assert.equal(answer.status, 200);
    assert.equal(answer.body.data.pagination.total, 1);
    assert.ok(before < flood / 2, `${before} of ${flood} were read before`);
    await Promise.all(reads);
    assert.equal((await ann.get('/api/photos?keyword=harbour')).status, 200);
  });

  test('refuses slow reads with 429 when hundreds of one caller wait, but only for that caller', async () => {
    const { promise: end, resolve: letGo } = Promise.withResolvers<void>();
    const caller = { name: `u${ann.id}`, address: '127.0.0.1' };
    const held: Promise<unknown>[] = [];
    for (let n = 0; n < 1010; n++) {
      runForCaller({ ...caller }, () => {
        held.push(
          gallery.deps.db
            .slow()
            .connection()
            .execute(() => end),
        );
      });
    }
    const all = Promise.allSettled(held);
    const own = await ann.get('/api/photos?keyword=harbour&page=2');
    assertRefused(own, 429, 429);
    assert.match(own.body.message, /of your searches/);
    assert.ok(Number(own.headers.get('retry-after')) >= 1);
    assert.equal((await asVisitor(gallery).get('/api/photos?keyword=harbour&page=2')).status, 200);
    letGo();
    await all;
    assert.equal((await ann.get('/api/photos?keyword=harbour&page=2')).status, 200);
  });
});
