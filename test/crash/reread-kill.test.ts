/** Kills a server while it reads stored photos again. Each photo is read once, and none is lost. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { assertRead, assertWritten } from '../support/assert-answers.ts';
import { eventually } from '../support/gallery-counts.ts';
import { type Person, register } from '../support/people.ts';
import { createPhoto, createXmp, createXmpList } from '../support/photo-metadata.ts';
import { findFreePort } from '../support/postgres.ts';
import { type ServerProcess, startServer } from '../support/server-process.ts';

const photoCount = 24;
/** Seconds by which each server's clock is ahead of the last one, so that the lease of a killed server has ended. */
const step = 120;

let dataDir: string;
let environment: { PORT: string };
let owner: Person;
let database: DatabaseSync;

before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'lightwell-reread-kill-'));
  environment = { PORT: String(await findFreePort()) };
  const server = await startServer({ dataDir, environment });
  owner = await register(server, 'owner');
  for (let n = 0; n < photoCount; n++) {
    const xmp = createXmp('xmp:Rating="4"', createXmpList('dc:title', [`Ridge ${n}`], 'Alt'));
    assertWritten(await owner.upload(await createPhoto({ xmp }), { visibility: 'private' }));
  }
  await server.end('SIGTERM');
  database = new DatabaseSync(join(dataDir, 'lightwell.db'));
  database.exec("update photos set title = '', title_key = '', rating = 0");
  database.exec("update photo_metadata set reader = 0, title = '', rating = 0, corrected = '[]'");
});
after(async () => {
  database?.close();
  await rm(dataDir, { recursive: true, force: true });
});

const countRead = () =>
  Number(database.prepare('select count(*) as n from photo_metadata where reader > 0').get()!.n);

test('photos are read again once, although the server is killed three times', async () => {
  let updates = 0;
  for (let round = 1; round <= 4; round++) {
    const before = countRead();
    const isLast = round === 4;
    const server: ServerProcess = await startServer({ dataDir, environment, later: round * step });
    const wanted = isLast ? photoCount : before + 4;
    await eventually(async () => assert.ok(countRead() >= wanted), 60_000);
    if (!isLast) await server.end('SIGKILL');
    updates += countRead() - before;
    if (!isLast) continue;
    const { list } = assertRead(await owner.get(`/api/users/${owner.id}/photos?limit=100`));
    const titles = list.map(({ title }: { title: string }) => title).sort();
    assert.deepEqual(titles, Array.from({ length: photoCount }, (_, n) => `Ridge ${n}`).sort());
    await server.end('SIGTERM');
  }
  assert.ok(updates >= photoCount - 3, `${updates} photos were read while the test looked`);
  assert.equal(
    Number(database.prepare('select count(*) as n from photos where rating = 4').get()!.n),
    photoCount,
  );
});
