/** The disk that loses power, and a short run of the part `power` on it. */
import assert from 'node:assert/strict';
import { mkdir, open, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeHome } from '../../torture/homes.ts';
import { type DiskKind, kinds, makeDisk } from '../../torture/power/disk.ts';
import { power } from '../../torture/power/part.ts';

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
    // The new length is kept by a journal, the bytes are not.
    assert.doesNotMatch(await readFile(join(folder, 'kept'), 'utf8'), /new/);
  });
}

test('a gallery whose disk loses power loses nothing that was acknowledged', async (context) => {
  const home = await makeHome('sqlite');
  context.after(home.end);
  const seed = Date.now() % 1_000_000_000;
  const tell = (line: string) => context.diagnostic(line);
  for (const { name, value, isHeld } of await power.run({ home, milliseconds: 4000, seed, tell })) {
    context.diagnostic(`${name}: ${value}`);
    assert.ok(isHeld, `${name}: ${value}`);
    if (name === 'power cuts') return context.skip(value);
  }
});
