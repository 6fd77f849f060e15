/** A lost or wrong database does not delete the photos of another database. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import { openDatabase } from '../../../server/platform/db/index.ts';
import { StorageUnusable } from '../../../server/platform/errors/storage.ts';
import { openStorage } from '../../../server/platform/storage/open.ts';
import type { GalleryLocation } from '../../../server/tools/transfer/gallery-location.ts';
import { listStoredObjects } from '../../support/gallery-counts.ts';
import { addPhoto, asVisitor, register } from '../../support/people.ts';
import { command, commandProcess, locationKinds, loseDatabase } from '../transfer/databases.ts';
import { createScope, serve } from '../transfer/gallery-locations.ts';

const twoDays = 2 * 86_400;

for (const [name, makeHome] of Object.entries(locationKinds)) {
  describe(`an empty database with the photos of another, on ${name}`, () => {
    test("starts no server or command on another gallery's storage, and names database and storage", async (context) => {
      const { lost, before } = await prepare(context);
      for (let attempt = 0; attempt < 2; attempt++) {
        await assert.rejects(serve(lost), (error: Error) => {
          assert.ok(error instanceof StorageUnusable, String(error));
          assertNames(lost, error.message);
          assert.match(error.message, /already holds photos.*lightwell adopt/);
          assert.doesNotMatch(error.message, /\n/);
          return true;
        });
      }
      const { code, err } = await command(lost, ['user', 'create', 'eve', 'eve@example.org'], {
        input: 'a good password',
      });
      assert.equal(code, 1);
      assert.match(err, /^error: The database .* has never been used with the storage .*\n$/);
      assertNames(lost, err);
      assert.deepEqual(await stored(lost), before);
      assert.deepEqual(await listTables(lost), []);
    });

    test("adopts another gallery's storage only on command, and then sets the deletion lock", async (context) => {
      const { lost, before } = await prepare(context);
      const asked = await commandProcess(lost, ['adopt']);
      assert.equal(asked.code, 1, asked.err);
      assert.match(
        asked.out,
        /holds 6 objects, of which 6 have no row.*has 0 images, of which 0 are in this storage/,
      );
      assert.match(asked.out, /Nothing was changed/);
      assertNames(lost, asked.out);
      assert.deepEqual(await listTables(lost), []);

      const adopted = await commandProcess(lost, ['adopt', '--yes']);
      assert.equal(adopted.code, 0, adopted.err);
      assert.match((await command(lost, ['adopt'])).out, /already belong together/);
      const gallery = await serve(lost);
      const owner = await register(gallery, 'newcomer');
      const { thumb } = await addPhoto(owner);
      await gallery.close();
      assert.equal((await stored(lost)).length, before.length + 3);

      const refused = await commandProcess(lost, ['orphans', '--remove', '5'], { later: twoDays });
      assert.equal(refused.code, 1);
      assert.match(
        refused.err,
        /error: 6 objects have no row, but at most 5 may be deleted\. 0 were deleted\n$/,
      );
      assert.equal((await stored(lost)).length, before.length + 3);
      const looked = await command(lost, ['orphans'], { later: twoDays });
      assert.match(looked.out, /6 of 9 objects have had no row.*nothing is deleted.*orphans --remove 6/s);
      const removed = await commandProcess(lost, ['orphans', '--remove', '6'], { later: twoDays });
      assert.equal(removed.code, 0, removed.err);
      assert.match(removed.out, /^Deleted 6 objects and released the deletion lock\.$/m);
      assert.match((await command(lost, ['orphans'])).out, /^The maintenance run deletes orphans/m);
      const left = await serve(lost);
      assert.equal((await listStoredObjects(left.deps)).length, 3);
      assert.equal((await asVisitor(left).get(thumb)).status, 200);
      await left.close();
    });
  });

  test(`claims a storage without photos, also after an earlier start, on ${name}`, async (context) => {
    const scope = createScope();
    context.after(() => scope.end());
    const home = await makeHome(scope);
    await Promise.all([serve(home), serve(home), serve(home)].map(async (one) => (await one).close()));
    const other = await loseDatabase(scope, home);
    const gallery = await serve(other);
    await addPhoto(await register(gallery, 'owner'));
    await gallery.close();
    await (await serve(other)).close();
  });

  async function prepare(context: TestContext) {
    const scope = createScope();
    context.after(() => scope.end());
    const home = await makeHome(scope, { isMigrated: true });
    const gallery = await serve(home);
    const owner = await register(gallery, 'owner');
    for (let n = 0; n < 2; n++) await addPhoto(owner);
    await gallery.close();
    return { before: await stored(home), lost: await loseDatabase(scope, home) };
  }
}

/** Asserts that a message names the database and the storage, without the password. */
function assertNames({ dataDir, databaseUrl, storageUrl }: GalleryLocation, text: string): void {
  const bucket = storageUrl && new URL(storageUrl).host;
  assert.ok(text.includes(bucket ? `s3://${bucket}/` : join(dataDir, 'files')), text);
  const { host, pathname, password } = new URL(databaseUrl ?? `file://${join(dataDir, 'lightwell.db')}`);
  assert.ok(text.includes(`${host}${pathname}`), text);
  if (password) assert.ok(!text.includes(password));
}

async function stored({ dataDir, storageUrl: url, storageKeys: keys }: GalleryLocation): Promise<string[]> {
  return listStoredObjects({ storage: await openStorage({ dataDir, url, keys, isReadOnly: true }) });
}

/** Returns the tables of a database without creating any table. */
async function listTables({ dataDir, databaseUrl: url }: GalleryLocation): Promise<string[]> {
  if (!url && !existsSync(join(dataDir, 'lightwell.db'))) return [];
  let names: string[] = [];
  const look = new Error('looked');
  const opening = openDatabase({
    dataDir,
    url,
    onError: () => {},
    async beforeMigrating({ kysely }) {
      const { rows } = await sql<{ name: string }>`SELECT tablename AS name FROM pg_tables
        WHERE schemaname = 'public'`.execute(kysely);
      names = rows.map((row) => row.name);
      throw look;
    },
  });
  await assert.rejects(opening, look);
  return names;
}
