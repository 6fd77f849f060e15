/** Tests situations in which a move refuses to run, and its messages. */
import assert from 'node:assert/strict';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import { openDatabase } from '../../../server/platform/db/index.ts';
import { migrationNames } from '../../../server/platform/db/migrate.ts';
import { createObjectKey } from '../../../server/platform/storage/keys.ts';
import { openStorage } from '../../../server/platform/storage/open.ts';
import { TransferError } from '../../../server/tools/transfer/errors.ts';
import {
  type GalleryLocation,
  parseGalleryLocation,
} from '../../../server/tools/transfer/gallery-location.ts';
import { moveGallery } from '../../../server/tools/transfer/move/move.ts';
import { silentProgress, type TransferProgress } from '../../../server/tools/transfer/progress.ts';
import { addPhoto, asVisitor, register } from '../../support/people.ts';
import { createScope, otherHome, readAllBytes, serve, sqliteHome } from './gallery-locations.ts';

test('a target that holds a gallery is refused and stays as it was', async (context) => {
  const { from, scope } = await prepare(context);
  const to = await sqliteHome(scope);
  const other = await serve(to);
  await register(other, 'somebody');
  await other.close();
  const before = await readAllBytes(to.dataDir);
  await refused(from, to, /the target database is not empty: its table \w+ has rows/);
  assert.deepEqual(await readAllBytes(to.dataDir), before);
});

test('refuses a storage that holds photos', async (context) => {
  const { from, scope } = await prepare(context);
  const to = await otherHome(scope);
  const storage = await openStorage({ dataDir: to.dataDir, url: to.storageUrl, keys: to.storageKeys });
  await storage.put([{ name: `${createObjectKey()}.original.jpg`, source: Buffer.from('mine') }]);
  await refused(from, to, /the target storage already holds photos/);
});

test('refuses the gallery itself as its own target', async (context) => {
  const { from } = await prepare(context);
  const before = await readAllBytes(from.dataDir);
  await refused(from, from, /not empty/);
  assert.deepEqual(await readAllBytes(from.dataDir), before);
});

test('a place without a gallery is no source, and nothing is made of it', async (context) => {
  const { scope } = await prepare(context);
  const [from, to] = [await sqliteHome(scope), await sqliteHome(scope)];
  await refused(from, to, /contains no gallery/);
  assert.deepEqual([await readAllBytes(from.dataDir), await readAllBytes(to.dataDir)], [{}, {}]);
});

test('a gallery from before the baseline is refused, and stays as it was', async (context) => {
  const { scope } = await prepare(context);
  const from = await otherHome(scope);
  await openStorage({ dataDir: from.dataDir, url: from.storageUrl, keys: from.storageKeys });
  const { dataDir, databaseUrl: url } = from;
  const old = await openDatabase({ dataDir, url, onError: assert.fail, upTo: migrationNames[0] });
  await sql`UPDATE kysely_migration SET name = '0039_rendition_charges'`.execute(old.kysely);
  const names = async () => (await old.kysely.introspection.getTables()).map(({ name }) => name).sort();
  const before = await names();
  await refused(
    from,
    await sqliteHome(scope),
    /the database has a schema that is too old .* commit 4f8d2cdb/,
  );
  assert.deepEqual(await names(), before);
  await old.close();
});

test('addresses that fit nothing are named', () => {
  assert.throws(() => parseGalleryLocation('/srv/a', '/srv/b', undefined), /give the same folder/);
  assert.throws(
    () => parseGalleryLocation('mysql://host/db', '/srv/a', undefined),
    /mysql: is not a supported kind/,
  );
  assert.throws(
    () => parseGalleryLocation('/srv/a', 's3://Bad_Name', undefined),
    /is not a valid bucket name/,
  );
  const folder = parseGalleryLocation('/srv/a/lightwell.db', 'file:///srv/a', undefined);
  assert.deepEqual([folder.dataDir, folder.databaseUrl], ['/srv/a', undefined]);
});

test('a picture that is missing stops the end of a move, and the target is not served', async (context) => {
  const { from, scope, names } = await prepare(context);
  const to = await otherHome(scope);
  rmSync(join(from.dataDir, 'files', names[0]!.slice(0, 2), names[0]!));
  await refused(from, to, new RegExp(`1 missing \\(${names[0]}\\).*--accept-damage`));
  await assert.rejects(serve(to), /A move into this gallery is unfinished/);

  const moved = await moveGallery({ from, to, acceptDamage: true, progress: silentProgress });
  assert.deepEqual([moved.missing, moved.copied, moved.present], [[names[0]], 0, names.length - 1]);
  const gallery = await serve(to);
  assert.equal((await asVisitor(gallery).get('/api/photos')).body.data.pagination.total, 2);
  await gallery.close();
});

test('refuses an original with other bytes than its row says', async (context) => {
  const { from, scope, names } = await prepare(context);
  const original = names.find((name) => name.includes('.original.'))!;
  const storage = await openStorage({ dataDir: from.dataDir });
  const { size } = (await storage.stat(original))!;
  await storage.put([{ name: original, source: Buffer.alloc(size, 1) }]);
  await refused(from, await otherHome(scope), /1 with other bytes than its row says/);
});

test('another move cannot go on with an unfinished target', async (context) => {
  const [one, other] = [await prepare(context), await prepare(context)];
  const to = await otherHome(one.scope);
  rmSync(join(one.from.dataDir, 'files', one.names[0]!.slice(0, 2), one.names[0]!));
  await refused(one.from, to, /missing/);
  await refused(other.from, to, /belongs to an unfinished move or restore/);
});

test('a photo that is ended while its gallery moves is gone in the copy, too', async (context) => {
  const { from, scope, ids } = await prepare(context);
  const to = await otherHome(scope);
  let rounds = 0;
  const progress: TransferProgress = {
    ...silentProgress,
    begin(part) {
      // Deletes a photo between the rows and the pictures of the first round: row and files disappear, as in
      // a maintenance run.
      if (part === 'pictures' && rounds++ === 0) end(from, ids[0]!);
    },
  };
  const moved = await moveGallery({ from, to, acceptDamage: false, progress });
  assert.deepEqual([rounds, moved.missing], [2, []]);
  const gallery = await serve(to);
  const { list } = (await asVisitor(gallery).get('/api/photos')).body.data;
  assert.deepEqual(
    list.map(({ id }: { id: number }) => id),
    [ids[1]],
  );
  await gallery.close();
});

/** Creates a gallery with two photos on SQLite. */
async function prepare(context: TestContext) {
  const scope = createScope();
  context.after(() => scope.end());
  const from = await sqliteHome(scope);
  const gallery = await serve(from);
  const owner = await register(gallery, 'ansel');
  const ids = [(await addPhoto(owner)).id, (await addPhoto(owner)).id];
  const names: string[] = [];
  for await (const batch of gallery.deps.storage.list()) names.push(...batch);
  await gallery.close();
  return { scope, from, ids, names };
}

async function refused(from: GalleryLocation, to: GalleryLocation, message: RegExp): Promise<void> {
  await assert.rejects(moveGallery({ from, to, acceptDamage: false, progress: silentProgress }), (error) => {
    assert.ok(error instanceof TransferError, String(error));
    assert.match(error.message, message);
    return true;
  });
}

function end({ dataDir }: GalleryLocation, id: number): void {
  const database = new DatabaseSync(join(dataDir, 'lightwell.db'), { enableForeignKeyConstraints: true });
  const { image_key: key } = database.prepare('SELECT image_key FROM photos WHERE id = ?').get(id)!;
  database.prepare('DELETE FROM photos WHERE id = ?').run(id);
  database.close();
  const shard = join(dataDir, 'files', String(key).slice(0, 2));
  for (const name of readdirSync(shard)) if (name.startsWith(String(key))) rmSync(join(shard, name));
}
