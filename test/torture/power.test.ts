/**
 * The simulated disks of the torture part `power` lose unflushed data, and a database on such a disk shows
 * the loss.
 */
import assert from 'node:assert/strict';
import { mkdir, open, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import pg from 'pg';
import { type DiskKind, kinds, makeDisk } from '../../torture/power/disk.ts';
import { durableSettings, startPostgres } from '../support/postgres.ts';

for (const kind of Object.keys(kinds) as DiskKind[]) {
  test(`${kind}: a power cut leaves what was flushed, and nothing else`, async (context) => {
    const disk = await makeDisk(kind);
    if (typeof disk === 'string') return context.skip(disk);
    context.after(disk.end);
    const folder = join(disk.dataDir, 'folder');
    const flush = async (path: string) => {
      const handle = await open(path, 'r');
      await handle.sync();
      await handle.close();
    };
    await mkdir(folder);
    await writeFile(join(folder, 'kept'), 'old');
    for (const path of [join(folder, 'kept'), folder, disk.dataDir]) await flush(path);
    await writeFile(join(folder, 'kept'), 'new');
    await writeFile(join(folder, 'forgotten'), 'not flushed');
    await rename(join(folder, 'forgotten'), join(folder, 'moved'));
    await disk.cut();
    assert.deepEqual(await readdir(folder), ['kept']);
    // A journaling file system keeps the new length of the file, but not the new bytes.
    assert.doesNotMatch(await readFile(join(folder, 'kept'), 'utf8'), /new/);
  });
}

test('PostgreSQL keeps what was committed, and loses it where it does not flush', async (context) => {
  const disk = await makeDisk('ext4, only flushed bytes');
  if (typeof disk === 'string') return context.skip(disk);
  context.after(disk.end);
  const postgres = await startPostgres({ folder: disk.folder, settings: durableSettings });
  context.after(postgres.stop);
  await disk.flush();
  const ask = async (query: string) => {
    const client = new pg.Client({ connectionString: postgres.url });
    // Killing the server breaks the client's connection before `end()`, so errors of the client are ignored.
    client.on('error', () => {});
    await client.connect();
    return (await client.query(query).finally(() => client.end())).rows;
  };
  await ask('CREATE TABLE kept (n integer)');
  await ask('INSERT INTO kept VALUES (1)');
  await postgres.kill();
  await disk.cut();
  await postgres.start();
  assert.deepEqual(await ask('SELECT n FROM kept'), [{ n: 1 }]);
  await postgres.kill();
  await postgres.start({ fsync: 'off' });
  await ask('INSERT INTO kept VALUES (2)');
  await postgres.kill();
  await disk.cut();
  const found = await postgres.start().then(
    () => ask('SELECT n FROM kept ORDER BY n'),
    (error: Error) => error,
  );
  if (!(found instanceof Error)) assert.doesNotMatch(JSON.stringify(found), /2/);
});
