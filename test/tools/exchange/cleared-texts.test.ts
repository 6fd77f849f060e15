/** Tests that an import keeps texts empty that the owner has cleared, although the file still has them. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { assertDone, assertRead } from '../../support/assert-answers.ts';
import { runLightwell } from '../../support/command.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { type ImportFolders, makeFolders } from '../../support/import-folders.ts';
import { addPhoto, type Person, register } from '../../support/people.ts';
import { createPhoto, createXmp, createXmpList } from '../../support/photo-metadata.ts';

let gallery: Gallery;
let folders: ImportFolders;

before(async () => {
  gallery = await startGallery();
  folders = await makeFolders();
});
after(async () => {
  await gallery.close();
  await folders.remove();
});

const readPhoto = async (who: Person) => {
  const { list } = assertRead(await who.get(`/api/photos?user_id=${who.id}`));
  return assertRead(await who.get(`/api/photos/${list[0].id}`));
};

test('an export brings back cleared texts and the time as they were', async () => {
  const [paula, quinn] = [await register(gallery, 'paula'), await register(gallery, 'quinn')];
  const lists = ['dc:title', 'dc:description', 'dc:subject'].map((name) => createXmpList(name, ['alps']));
  const xmp = createXmp('photoshop:DateCreated="2001-05-06T07:08:09+09:00"', lists.join(''));
  const { id } = await addPhoto(paula, {}, await createPhoto({ xmp }));
  assert.equal((await readPhoto(paula)).title, 'alps');
  assertDone(await paula.put(`/api/photos/${id}`, { title: '', description: '', tags: [] }));
  const dir = join(await folders.folder('exports', {}), 'paula');
  await runLightwell(gallery, ['export', dir, '--user', 'paula']);
  const { out } = await runLightwell(gallery, ['import', dir, '--user', 'quinn']);
  assert.match(out, /^1 imported/m);
  const { title, description, tags, taken_time } = await readPhoto(quinn);
  assert.deepEqual([title, description, tags, taken_time], ['', '', [], '2001-05-06 07:08:09']);
});
