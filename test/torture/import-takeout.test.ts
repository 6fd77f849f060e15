/** Imports a Takeout of some 5,000 files, killed at eight moments. Every file is accounted for. */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { parseCsv } from '../../server/tools/exchange/plan/csv.ts';
import { assertAlbumsConsistent } from '../support/albums.ts';
import { assertEachFileOnce, assertTakeoutArrived } from '../support/assert-takeout.ts';
import { runLightwell, startLightwell } from '../support/command.ts';
import { eventually } from '../support/gallery-counts.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { type ImportFolders, makeFolders } from '../support/import-folders.ts';
import { type Person, register } from '../support/people.ts';
import { createTakeout, type Takeout } from '../support/takeout.ts';

/** Ordinary photos of each of the five languages. */
const copies = 300;
const kills = 8;

let gallery: Gallery;
let folders: ImportFolders;
let takeout: Takeout;
let paths: string[];
let ada: Person;

before(async () => {
  gallery = await startGallery();
  folders = await makeFolders();
  takeout = await createTakeout(copies);
  paths = takeout.zips.map((_, part) => join(folders.root, `takeout-00${part + 1}.zip`));
  for (const [part, path] of paths.entries()) await writeFile(path, takeout.zips[part]!);
  ada = await register(gallery, 'ada');
});
after(async () => {
  await gallery.close();
  await folders.remove();
});

const countPhotos = async () =>
  (await ada.get(`/api/users/${ada.id}/photos?limit=1`)).body.data.pagination.total as number;

test('a large Takeout is imported whole, although the import is killed again and again', async (context) => {
  for (let kill = 1; kill <= kills; kill++) {
    const child = startLightwell(gallery, ['import', ...paths, '--user', 'ada', '--jobs', '2']);
    const ended = new Promise((resolve) => child.on('close', resolve));
    const wanted = Math.round((takeout.titles.length * kill) / (kills + 1));
    await eventually(async () => assert.ok((await countPhotos()) >= wanted), 600_000);
    child.kill('SIGKILL');
    await ended;
    context.diagnostic(`killed after ${await countPhotos()} of ${takeout.titles.length} photos`);
  }
  const path = join(folders.root, 'receipt.csv');
  const { code } = await runLightwell(gallery, ['import', ...paths, '--user', 'ada', '--receipt', path]);
  assert.equal(code, 1, 'films are refused');
  const [, ...rows] = parseCsv(await readFile(path));
  assertEachFileOnce(
    rows.map(([, file, outcome]) => [file!, outcome!] as const),
    takeout,
  );
  await assertTakeoutArrived(ada, takeout);
  await assertAlbumsConsistent(gallery);
});
