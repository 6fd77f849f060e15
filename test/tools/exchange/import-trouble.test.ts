/**
 * Tests `lightwell import` with an interruption: a quota, a kill, or a database that another process has
 * locked.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { chargedBytes } from '../../../server/gallery/photos/upload/quota.ts';
import { assertAlbumsConsistent } from '../../support/albums.ts';
import { runLightwell, startLightwell } from '../../support/command.ts';
import { eventually } from '../../support/gallery-counts.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import {
  type ImportFolders,
  makeFolders,
  makePicture,
  readAlbums,
  readPhotos,
} from '../../support/import-folders.ts';
import { register } from '../../support/people.ts';
import { createLandmarks } from '../../support/pictures.ts';

let gallery: Gallery;
let folders: ImportFolders;
let folder: ImportFolders['folder'];

before(async () => {
  gallery = await startGallery();
  folders = await makeFolders();
  ({ folder } = folders);
});
after(async () => {
  await gallery.close();
  await folders.remove();
});

test('the quota is kept, and the import ends with it', async () => {
  const mia = await register(gallery, 'mia');
  const files = Object.fromEntries(
    await Promise.all(Array.from({ length: 6 }, async (_, n) => [`${n}.jpg`, await makePicture()] as const)),
  );
  const largest = Math.max(...Object.values(files).map(({ length }) => length));
  const quota_bytes = 3 * chargedBytes([{ size: largest }]);
  await gallery.deps.db.kysely.updateTable('users').set({ quota_bytes }).where('id', '=', mia.id).execute();
  const dir = await folder('quota', files);
  const ended = await runLightwell(gallery, ['import', dir, '--user', 'mia', '--jobs', '1']);
  assert.equal(ended.code, 1);
  assert.match(
    ended.out,
    /^Stopped early: The storage quota is used up\. .+ Run the import again to continue\.$/m,
  );
  const there = (await readPhotos(mia)).length;
  assert.ok(there >= 3 && there < 6, `${there} photos`);
  await gallery.deps.db.kysely
    .updateTable('users')
    .set({ quota_bytes: null })
    .where('id', '=', mia.id)
    .execute();
  const again = await runLightwell(gallery, ['import', dir, '--user', 'mia']);
  assert.match(again.out, new RegExp(`^${6 - there} imported into 0 new albums, ${there} already present`));
});

test('killed at any point, it goes on where it was', async () => {
  const nia = await register(gallery, 'nia');
  const files: Record<string, Buffer> = {};
  for (let n = 0; n < 24; n++) files[`Album ${n % 3}/${n}.jpg`] = await createLandmarks(400 + n, 300);
  const dir = await folder('killed', files);
  let kills = 0;
  for (let least = 4; least < 24; least += 6) {
    const child = startLightwell(gallery, ['import', dir, '--user', 'nia', '--jobs', '3']);
    const ended = new Promise((found) => child.on('close', (_, signal) => found(signal)));
    const countNia = async () => (await nia.get(`/api/users/${nia.id}/photos`)).body.data.pagination.total;
    await eventually(async () => assert.ok((await countNia()) >= least), 60_000);
    child.kill('SIGKILL');
    if ((await ended) === 'SIGKILL') kills++;
  }
  assert.ok(kills > 0);
  const { code, out } = await runLightwell(gallery, ['import', dir, '--user', 'nia']);
  assert.deepEqual([code, / 0 not imported/.test(out)], [0, true], out);
  const photos = await readPhotos(nia);
  assert.equal(photos.length, 24);
  assert.equal(new Set(photos.map(({ title }) => title)).size, 24, 'none twice');
  const albums = await readAlbums(nia);
  assert.deepEqual(
    albums.map(({ name, photo_count }) => [name, photo_count]),
    [0, 1, 2].map((n) => [`Album ${n}`, 8]),
  );
  await assertAlbumsConsistent(gallery);
});

test('SQLite: a database that another process locks for longer than a write waits ends no import', async (context) => {
  const { dataDir } = gallery.deps.config;
  if (gallery.deps.db.name !== 'sqlite') return context.skip('PostgreSQL has no lock on everything');
  const otto = await register(gallery, 'otto');
  const files: Record<string, Buffer> = {};
  for (let n = 0; n < 12; n++) files[`${n}.jpg`] = await createLandmarks(500 + n, 300);
  const dir = await folder('held', files);
  const args = ['import', dir, '--user', 'otto', '--jobs', '1'];
  const child = startLightwell(gallery, args, { busyTimeoutMs: 1000 });
  const ended = new Promise((found) => child.on('close', found));
  const countOtto = async () => (await otto.get(`/api/users/${otto.id}/photos`)).body.data.pagination.total;
  await eventually(async () => assert.ok((await countOtto()) > 0), 60_000);
  const database = new DatabaseSync(join(dataDir, 'lightwell.db'), { timeout: 5000 });
  database.exec('BEGIN IMMEDIATE');
  const held = await countOtto();
  // Waits until a write has been refused, tried again, and refused once more.
  const lines = createInterface({ input: child.stderr })[Symbol.asyncIterator]();
  for (let refused = 0; refused < 2; ) {
    const { value } = await lines.next();
    if (value === 'busy') refused++;
    else assert.match(value ?? '', /^progress: /);
  }
  assert.equal(await countOtto(), held, 'nothing was written meanwhile');
  assert.equal(child.exitCode, null);
  database.exec('COMMIT');
  database.close();
  assert.equal(await ended, 0);
  assert.equal((await readPhotos(otto)).length, 12);
});
