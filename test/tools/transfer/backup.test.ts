/** A restored backup is the same gallery as before. Restoring an incomplete backup restores nothing. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFile, mkdir, readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { TransferError } from '../../../server/tools/transfer/errors.ts';
import type { GalleryLocation } from '../../../server/tools/transfer/gallery-location.ts';
import { silentProgress } from '../../../server/tools/transfer/progress.ts';
import { verifyBackupArchive } from '../../../server/tools/transfer/restore/restore.ts';
import type { Gallery } from '../../support/harness.ts';
import { addPhoto, logIn, register } from '../../support/people.ts';
import { backUp, findEntry, restoreTo } from './archives.ts';
import { type Contents, fillGallery } from './fill-gallery.ts';
import { createScope, otherHome, serve, sqliteHome } from './gallery-locations.ts';
import { finishUpload } from './open-upload.ts';
import { assertSame, type Walk, walk } from './walk-api.ts';

const isPostgres = process.env.TEST_DATABASE === 'postgres';

describe('a backup', () => {
  const scope = createScope();
  after(() => scope.end());
  let gallery: Gallery;
  let contents: Contents;
  let expected: Walk;
  let file: string;

  before(async () => {
    gallery = await serve(await otherHome(scope, { isMigrated: true }));
    scope.after(() => gallery.close());
    contents = await fillGallery(gallery);
    file = join((await sqliteHome(scope)).dataDir, 'gallery.tar');
    await backUp(gallery, file);
    expected = await walk(gallery, contents);
  });

  const homes = { 'the database that it was made of': otherHome, ...(isPostgres && { SQLite: sqliteHome }) };
  for (const [name, makeHome] of Object.entries(homes))
    test(`gives the same gallery back on ${name}`, async () => assertRestored(await makeHome(scope)));

  test('is a tar whose checksums other programs compare', async () => {
    const folder = join((await sqliteHome(scope)).dataDir, 'unpacked');
    await mkdir(folder);
    const run = promisify(execFile);
    await run('tar', ['-xf', file, '-C', folder]);
    const lists = await readdir(join(folder, 'checksums'));
    for (const list of lists)
      await run('sha256sum', ['--check', '--strict', `checksums/${list}`], { cwd: folder });
    const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'));
    assert.deepEqual([manifest.missing, manifest.damaged], [[], []]);
    assert.equal(manifest.tables.users.rows, 4);
  });

  test('lets go of the objects that it held', async () => {
    const { rows } = { rows: await gallery.deps.db.kysely.selectFrom('settings').select('name').execute() };
    assert.deepEqual(rows.map(({ name }) => name).sort(), ['secret', 'storage']);
  });

  test('is refused where there is a gallery already, which stays as it was', async () => {
    const home = await otherHome(scope);
    const other = await serve(home);
    const person = await register(other, 'somebody');
    const { id } = await addPhoto(person, { title: 'Mine' });
    await assert.rejects(restoreTo(home, file), plainly(/not empty: its table \w+ has rows/));
    assert.equal((await person.get(`/api/photos/${id}`)).body.data.title, 'Mine');
    assert.equal((await other.deps.db.kysely.selectFrom('users').selectAll().execute()).length, 1);
    await other.close();
  });

  for (const [what, pattern] of [
    ['a row', /^rows\/photos\//],
    ['a picture', /\.original\./],
    ['a list of checksums', /^checksums\//],
    ['the manifest', /^manifest\.json$/],
    ['the seal', /^manifest\.sha256$/],
  ] as const) {
    test(`is refused when one bit of ${what} is another, and nothing is made`, async () => {
      const altered = `${file}.altered`;
      const { start, size } = await findEntry(file, pattern);
      const bytes = await readFile(file);
      bytes[start + Math.floor(size / 2)]! ^= 1;
      await writeFile(altered, bytes);
      await assertRefused(altered);
    });
  }

  test('is refused when it ends early, wherever that is', async () => {
    const cut = `${file}.cut`;
    const { length } = await readFile(file);
    const manifest = await findEntry(file, /^manifest\.json$/);
    for (const end of [0, 100, 512, length >> 1, manifest.start - 512, manifest.start, length - 2048]) {
      await copyFile(file, cut);
      await truncate(cut, end);
      await assertRefused(cut);
    }
  });

  test('is refused when entries were taken out or put in another order', async () => {
    const bytes = await readFile(file);
    const { start, size } = await findEntry(file, /\.thumb\./);
    const end = start + Math.ceil(size / 512) * 512;
    const without = `${file}.without`;
    await writeFile(without, Buffer.concat([bytes.subarray(0, start - 512), bytes.subarray(end)]));
    await assertRefused(without);
  });

  test('says which pictures the gallery lacked, and gives the others back', async () => {
    const source = await serve(await sqliteHome(scope, { isMigrated: true }));
    const person = await register(source, 'unlucky');
    const lost = await addPhoto(person, { title: 'Lost' });
    const kept = await addPhoto(person, { title: 'Kept' });
    const { image_key: key } = await source.deps.db.kysely
      .selectFrom('photos')
      .select('image_key')
      .where('id', '=', lost.id)
      .executeTakeFirstOrThrow();
    const name = `${key}.original.jpg`;
    await source.deps.storage.remove(name);
    const partial = `${file}.partial`;
    assert.deepEqual((await backUp(source, partial)).missing, [name]);
    await source.close();

    const home = await otherHome(scope);
    assert.deepEqual((await restoreTo(home, partial)).manifest.missing, [name]);
    const restored = await serve(home);
    const owner = await logIn(restored, person);
    assert.equal((await owner.get(`/api/photos/${kept.id}/download`)).status, 200);
    assert.equal((await owner.get(`/api/photos/${lost.id}`)).body.data.title, 'Lost');
    await restored.close();
  });

  async function assertRestored(home: GalleryLocation): Promise<void> {
    const { manifest } = await restoreTo(home, file);
    assert.deepEqual(manifest.missing, []);
    const restored = await serve(home);
    try {
      assertSame(await walk(restored, contents), expected);
      const owner = await logIn(restored, contents.owner);
      const { id } = await addPhoto(owner);
      assert.ok(id > contents.ended);
      await finishUpload(owner, contents.upload);
      assert.deepEqual(restored.complaints(), []);
    } finally {
      await restored.close();
    }
  }

  /**
   * Asserts that a restore refuses the archive before it creates anything, so that the target stays empty.
   */
  async function assertRefused(archive: string): Promise<void> {
    const home = await sqliteHome(scope);
    await assert.rejects(restoreTo(home, archive), plainly(/archive/));
    await assert.rejects(verifyBackupArchive(archive, silentProgress), TransferError);
    assert.deepEqual(await readdir(home.dataDir), []);
  }
});

/** Tells whether an error is a message for operators rather than an unexpected fault. */
function plainly(message: RegExp) {
  return (error: unknown) => error instanceof TransferError && message.test(error.message);
}
