/** Tests the import of a Takeout in five languages over three ZIPs, killed twice in between. */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { parseCsv } from '../../../server/tools/exchange/plan/csv.ts';
import { assertAlbumsConsistent } from '../../support/albums.ts';
import { assertEachFileOnce, assertTakeoutArrived } from '../../support/assert-takeout.ts';
import { runLightwell, startLightwell } from '../../support/command.ts';
import { eventually } from '../../support/gallery-counts.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { type ImportFolders, makeFolders, readPhotos } from '../../support/import-folders.ts';
import { type Person, register } from '../../support/people.ts';
import { createTakeout, type Takeout } from '../../support/takeout.ts';

let gallery: Gallery;
let folders: ImportFolders;
let takeout: Takeout;
let paths: string[];
let ada: Person;

before(async () => {
  gallery = await startGallery();
  folders = await makeFolders();
  takeout = await createTakeout();
  paths = takeout.zips.map((_, part) => join(folders.root, `takeout-00${part + 1}.zip`));
  for (const [part, path] of paths.entries()) await writeFile(path, takeout.zips[part]!);
  ada = await register(gallery, 'ada');
});
after(async () => {
  await gallery.close();
  await folders.remove();
});

async function countPhotos(): Promise<number> {
  return (await ada.get(`/api/users/${ada.id}/photos`)).body.data.pagination.total;
}

async function killAfter(photos: number): Promise<void> {
  const child = startLightwell(gallery, ['import', ...paths, '--user', 'ada', '--jobs', '2']);
  const ended = new Promise((resolve) => child.on('close', resolve));
  await eventually(async () => assert.ok((await countPhotos()) >= photos), 120_000);
  child.kill('SIGKILL');
  await ended;
}

test('a Takeout in five languages is imported whole, although the import is killed twice', async () => {
  await killAfter(8);
  await killAfter(25);
  const path = join(folders.root, 'receipt.csv');
  const { code, out } = await runLightwell(gallery, ['import', ...paths, '--user', 'ada', '--receipt', path]);
  assert.equal(code, 1, 'films are refused');
  const [, ...rows] = parseCsv(await readFile(path));
  assertEachFileOnce(
    rows.map(([, file, outcome]) => [file!, outcome!] as const),
    takeout,
  );
  assert.match(out, / 5 not imported\.$/m);

  await assertTakeoutArrived(ada, takeout);
  await assertAlbumsConsistent(gallery);
});

test('a second import of the same parts changes nothing', async () => {
  const before = await readPhotos(ada);
  const { out } = await runLightwell(gallery, ['import', ...paths, '--user', 'ada']);
  assert.match(out, /^0 imported into 0 new albums/m);
  const unchanged = ({ id, title, taken_time, tags, update_time }: (typeof before)[0]) =>
    JSON.stringify([id, title, taken_time, tags, update_time]);
  assert.deepEqual((await readPhotos(ada)).map(unchanged), before.map(unchanged));
});
