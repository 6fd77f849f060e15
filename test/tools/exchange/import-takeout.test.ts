/** Tests the import of a Takeout in five languages over three ZIPs, killed twice in between. */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { parseCsv } from '../../../server/tools/exchange/plan/csv.ts';
import { assertAlbumsConsistent } from '../../support/albums.ts';
import { assertRead } from '../../support/assert-answers.ts';
import { runLightwell, startLightwell } from '../../support/command.ts';
import { eventually } from '../../support/gallery-counts.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { type ImportFolders, makeFolders, readAlbums, readPhotos } from '../../support/import-folders.ts';
import { type Person, register } from '../../support/people.ts';
import { createTakeout, summerInRome, type Takeout } from '../../support/takeout.ts';

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
  assert.deepEqual(rows.map(([, file]) => file).sort(), takeout.files.toSorted(), 'each file once');
  const refused = rows.filter(([, , outcome]) => outcome === 'refused');
  assert.deepEqual(refused.map(([, file]) => file).sort(), takeout.refused.toSorted());
  assert.match(out, / 5 not imported\.$/m);

  const photos = await readPhotos(ada);
  assert.deepEqual(photos.map(({ title }) => title).sort(), takeout.titles, 'none lost, none twice');
  const albums = await readAlbums(ada);
  assert.deepEqual(albums.map(({ name }) => name).sort(), [...takeout.albums.keys()].sort());
  for (const { id, name } of albums) {
    const { list } = assertRead(await ada.get(`/api/albums/${id}/photos`));
    assert.deepEqual(list.map(({ title }: { title: string }) => title).sort(), takeout.albums.get(name));
  }
  await assertAlbumsConsistent(gallery);
});

test('the photos of a Takeout are private, and have what Takeout says about them', async () => {
  const photos = await readPhotos(ada);
  const names = (found: typeof photos) => found.map(({ title }) => title).sort();
  assert.ok(photos.every(({ visibility }) => visibility === 'private'));
  assert.deepEqual(names(photos.filter(({ tags }) => tags.includes('archive'))), takeout.archived.toSorted());
  assert.deepEqual(names(photos.filter(({ is_favorited }) => is_favorited)), takeout.favorites.toSorted());
  for (const photo of photos.filter(({ title }) => !title.endsWith('_other'))) {
    assert.equal(photo.taken_time, summerInRome, photo.title);
    assert.match(photo.description, /^About /, photo.title);
    assert.deepEqual(photo.location, { latitude: 41.9, longitude: 12.5 }, photo.title);
  }
  const { list } = assertRead(await ada.get('/api/trash?limit=100'));
  assert.deepEqual(list.map(({ title }: { title: string }) => title).sort(), takeout.trashed.toSorted());
});

test('a second import of the same parts changes nothing', async () => {
  const before = await readPhotos(ada);
  const { out } = await runLightwell(gallery, ['import', ...paths, '--user', 'ada']);
  assert.match(out, /^0 imported into 0 new albums/m);
  const unchanged = ({ id, title, taken_time, tags, update_time }: (typeof before)[0]) =>
    JSON.stringify([id, title, taken_time, tags, update_time]);
  assert.deepEqual((await readPhotos(ada)).map(unchanged), before.map(unchanged));
});
