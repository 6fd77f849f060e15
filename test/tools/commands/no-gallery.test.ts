/** Commands on a folder without a gallery fail with a one-line message, and leave the folder unchanged. */
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import pg from 'pg';
import type { GalleryLocation } from '../../../server/tools/transfer/gallery-location.ts';
import { askS3 } from '../../platform/storage/s3-storage.ts';
import { addPhoto, asVisitor, password, register } from '../../support/people.ts';
import { command, locationKinds } from '../transfer/databases.ts';
import { createScope, serve } from '../transfer/gallery-locations.ts';

const commands = [
  ['backup', 'gallery.tar'],
  ['check', '--repair'],
  ['export', 'out'],
  ['import', '.', '--user', 'ansel'],
  ['orphans', '--remove', '0'],
  ['adopt', '--yes'],
  ['user', 'list'],
  ['user', 'password', 'ansel'],
];

for (const [name, makeHome] of Object.entries(locationKinds)) {
  describe(`where there is no gallery, on ${name}`, () => {
    for (const args of commands) {
      test(args.join(' '), async (context) => {
        const scope = createScope();
        context.after(() => scope.end());
        const made = await makeHome(scope);
        const home = { ...made, dataDir: join(made.dataDir, 'data') };
        const paths = args.map((arg) => (/^(gallery.tar|out)$/.test(arg) ? join(made.dataDir, arg) : arg));
        const { code, out, err } = await command(home, paths, { input: 'a good password' });
        assert.equal(code, args[0] === 'check' ? 2 : 1, err);
        assert.match(err, /^error: (there is no gallery in .+|.+ holds no photos of a gallery\.)\n$/);
        assert.equal(out, '');
        assert.deepEqual(await readdir(made.dataDir), [], 'no folder, no archive');
        await assertUntouched(home);
      });
    }

    test('user create begins one, and says where', async (context) => {
      const scope = createScope();
      context.after(() => scope.end());
      const home = await makeHome(scope);
      const create = ['user', 'create', 'ansel', 'ansel@example.org', '--admin'];
      const { code, out, err } = await command(home, create, { input: password });
      assert.equal(code, 0, err);
      assert.match(err, /^Creating a new gallery in .+, with its photos in .+\.\n$/);
      assert.match(out, /^Created admin ansel/);
      const again = await command(home, ['user', 'create', 'dora', 'dora@example.org'], { input: password });
      assert.deepEqual([again.code, again.err], [0, '']);
      const gallery = await serve(home);
      const login = { username: 'ansel', password };
      assert.equal((await asVisitor(gallery).post('/api/auth/login', login)).status, 200);
      await gallery.close();
    });

    test('prints the progress of a check without a terminal, which is no finding', async (context) => {
      const scope = createScope();
      context.after(() => scope.end());
      const home = await makeHome(scope);
      const gallery = await serve(home);
      await addPhoto(await register(gallery, 'owner'));
      await gallery.close();
      const { code, out, err } = await command(home, ['check']);
      assert.deepEqual([code, out], [0, 'No problems found.\n'], err);
      assert.match(err, /^progress: objects compared with rows, 3 so far$/m);
      for (const line of err.trim().split('\n'))
        assert.match(line, /^progress: [a-z_ ]+, \d+ (so far|of \d+)$/);
      assert.doesNotMatch(err, /without a row|overdue|damaged|missing/);
    });
  });
}

/** Asserts that the location has no table and no object. */
async function assertUntouched({ databaseUrl, storageUrl }: GalleryLocation): Promise<void> {
  if (databaseUrl) {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    const tables = "SELECT tablename FROM pg_tables WHERE schemaname = 'public'";
    const { rows } = await client.query(tables).finally(() => client.end());
    assert.deepEqual(rows, []);
  }
  if (storageUrl) assert.doesNotMatch(await (await askS3(storageUrl, '')).text(), /<Key>/);
}
