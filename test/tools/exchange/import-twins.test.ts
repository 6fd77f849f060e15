/**
 * Tests an export with photos of equal bytes: each photo has its own title, tags and edits, and is imported
 * as a separate photo.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { assertWritten } from '../../support/assert-answers.ts';
import { runLightwell } from '../../support/command.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { type ImportFolders, makeFolders, readPhotos } from '../../support/import-folders.ts';
import { addAlbum, addPhoto, type Person, register } from '../../support/people.ts';
import { createJpeg } from '../../support/pictures.ts';

let gallery: Gallery;
let folders: ImportFolders;
let owner: Person;
let dir: string;
let bytes: Buffer;

before(async () => {
  gallery = await startGallery();
  folders = await makeFolders();
  owner = await register(gallery, 'paula');
  bytes = await createJpeg({ width: 300, height: 200 });
  const album = await addAlbum(owner, 'Evenings');
  const { id } = await addPhoto(owner, { title: 'Sunset', tags: 'sea', album_id: String(album) }, bytes);
  const edit = { action: 'crop', params: { x: 10, y: 10, width: 100, height: 80 } };
  assertWritten(await owner.post(`/api/photos/${id}/edit`, edit));
  // Adds the same picture twice in the same second, and once some time later.
  await addPhoto(owner, { title: 'Twin', description: 'Of the same time' }, bytes);
  gallery.travel(5000);
  await addPhoto(owner, { title: 'Plain', is_public: '0' }, bytes);
  dir = join(folders.root, 'out');
  assert.equal((await runLightwell(gallery, ['export', dir, '--user', 'paula'])).code, 0);
});
after(async () => {
  await gallery.close();
  await folders.remove();
});

const importFor = async (name: string, ...options: string[]) =>
  (await runLightwell(gallery, ['import', dir, '--user', name, ...options])).out;

/** Returns the properties of each photo except its ids. */
const shownTo = async (person: Person) =>
  (await readPhotos(person))
    .map(({ title, description, tags, width, height, is_public, album, create_time }) => ({
      ...{ title, description, tags, width, height, is_public, create_time },
      album: album?.name,
    }))
    .sort((one, other) => one.title.localeCompare(other.title));

test('each comes back with what is its own, and none again', async () => {
  const rita = await register(gallery, 'rita');
  assert.match(await importFor('rita', '--dry-run'), /\b3 (would be )?imported/);
  assert.match(await importFor('rita', '--jobs', '3'), /^3 imported into 1 new albums, 0 already present/);
  assert.deepEqual(await shownTo(rita), await shownTo(owner));
  assert.match(await importFor('rita'), /^0 imported into 0 new albums, 3 already present/);
  assert.deepEqual(await shownTo(rita), await shownTo(owner));
});

test('one that the account had before stands for one of them', async () => {
  const sara = await register(gallery, 'sara');
  await addPhoto(sara, { title: 'Mine' }, bytes);
  assert.match(await importFor('sara'), /^2 imported into \d new albums, 1 already present/);
  assert.equal((await readPhotos(sara)).length, 3);
  assert.match(await importFor('sara'), /^0 imported into 0 new albums, 3 already present/);
});
