/** Tests that an upgrade folds names, tags and texts without accents, and gives names their natural order. */
import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { listUsers } from '../../../server/gallery/admin/users/users.ts';
import { startSearchTexts } from '../../../server/gallery/library/run-search-texts.ts';
import { openSqlite } from '../../../server/platform/db/sqlite/sqlite.ts';
import { openStorage } from '../../../server/platform/storage/open.ts';
import { assertRead } from '../../support/assert-answers.ts';
import { assertTotalsMatchRows } from '../../support/assert-totals.ts';
import { eventually } from '../../support/gallery-counts.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { makeOldGallery } from '../../support/old-gallery.ts';
import { asVisitor } from '../../support/people.ts';

let gallery: Gallery;
before(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'lightwell-words-'));
  await openStorage({ dataDir });
  const db = openSqlite(dataDir);
  await makeOldGallery(db);
  const names = ['Café', 'CAFE', 'cafè', 'day 10', 'day 9'];
  for (const [place, name] of names.entries()) {
    await sql`INSERT INTO photo_tags (photo_id, position, name, name_key, user_id, visibility, create_time)
      SELECT id, ${place + 5}, ${name}, ${name.toLowerCase()}, user_id, visibility, create_time
      FROM photos WHERE id = 1`.execute(db.kysely);
  }
  await sql`UPDATE photos SET tags = ${JSON.stringify(['Sea', 'Sun', ...names])} WHERE id = 1`.execute(
    db.kysely,
  );
  await sql`UPDATE photos SET title = 'Photo 10', title_key = 'photo 10' WHERE id = 1`.execute(db.kysely);
  await sql`UPDATE photos SET title = 'photo 9', title_key = 'photo 9' WHERE id = 6`.execute(db.kysely);
  await sql`UPDATE users SET nickname = 'zoe 10' WHERE id = 2`.execute(db.kysely);
  await sql`UPDATE users SET nickname = 'Zoe 9' WHERE id = 3`.execute(db.kysely);
  await db.close();
  gallery = await startGallery({ dataDir });
});
after(() => gallery.close());

const ids = async (path: string): Promise<number[]> =>
  assertRead(await asVisitor(gallery).get(path)).list.map(({ id }: { id: number }) => id);

test('tags that differ in accents become one tag, and its photo has the tag once', async () => {
  assert.deepEqual(await ids('/api/photos?tag=cafe'), [1]);
  assert.deepEqual(assertRead(await asVisitor(gallery).get('/api/photos/1')).tags, [
    'Sea',
    'Sun',
    'Café',
    'day 10',
    'day 9',
  ]);
  const { list } = assertRead(await asVisitor(gallery).get('/api/tags?keyword=CAFÉ'));
  assert.deepEqual(
    list.map(({ count }: { count: number }) => count),
    [1],
  );
  const days = assertRead(await asVisitor(gallery).get('/api/tags?keyword=day')).list;
  assert.deepEqual(
    days.map(({ name }: { name: string }) => name),
    ['day 9', 'day 10'],
  );
  await assertTotalsMatchRows(gallery);
});

test('albums and people are found without accents', async () => {
  assert.deepEqual(await ids('/api/albums?keyword=offentlich'), [1]);
  assert.deepEqual(await ids('/api/users?keyword=anne'), [1]);
});

test('users get their natural order', async () => {
  const { list } = await listUsers(
    gallery.deps,
    { id: 1, isAdmin: true, sessionId: 0 },
    { page: 1, limit: 20, sort: 'name', order: 'desc' },
  );
  assert.deepEqual(
    list.slice(0, 2).map(({ nickname }) => nickname),
    ['zoe 10', 'Zoe 9'],
  );
});

test('a background job folds the texts of photos, and titles get their natural order', async () => {
  const stop = startSearchTexts(gallery.deps);
  await eventually(async () => assert.deepEqual(await ids('/api/photos?keyword=αθηνας'), [5]));
  await eventually(async () => assert.deepEqual(await ids('/api/photos?sort=title&order=asc'), [6, 1, 5]));
  await stop();
});
