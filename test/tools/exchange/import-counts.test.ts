/** Tests counts in an export that are too large to be counted on. */
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { assertRead } from '../../support/assert-answers.ts';
import { runLightwell } from '../../support/command.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addPhoto, register } from '../../support/people.ts';
import { createJpeg } from '../../support/pictures.ts';

let gallery: Gallery;
let root: string;

before(async () => {
  gallery = await startGallery();
  root = await mkdtemp(join(tmpdir(), 'lightwell-counts-'));
});
after(async () => {
  await gallery.close();
  await rm(root, { recursive: true, force: true });
});

test('refuses a photo whose view count is too large with one line, and imports the photo once corrected', async () => {
  const owner = await register(gallery, 'owner');
  await addPhoto(owner, { title: 'Counted' }, await createJpeg({ colour: '#123' }));
  await addPhoto(owner, { title: 'Other' }, await createJpeg({ colour: '#321' }));
  const exported = await runLightwell(gallery, ['export', root, '--user', 'owner']);
  assert.equal(exported.code, 0, exported.error);
  const { sidecar, described } = await findSidecar('Counted');
  const heir = await register(gallery, 'heir');
  const readTitles = async (): Promise<string[]> => {
    const { list } = assertRead(await heir.get(`/api/users/${heir.id}/photos`));
    return list.map(({ title }: { title: string }) => title).sort();
  };

  await writeFile(sidecar, JSON.stringify({ ...described, views: 2 ** 53 }));
  const refused = await runLightwell(gallery, ['import', root, '--user', 'heir']);
  assert.equal(refused.code, 1);
  assert.match(refused.out, /^\S+\.jpg: views: Must be at most 1000000000000$/m);
  assert.match(refused.out, /^1 imported into 0 new albums, 0 already present, 1 not imported\.$/m);
  assert.deepEqual(await readTitles(), ['Other']);

  await writeFile(sidecar, JSON.stringify({ ...described, views: 10 ** 12 }));
  const accepted = await runLightwell(gallery, ['import', root, '--user', 'heir']);
  assert.equal(accepted.code, 0, accepted.error);
  assert.match(accepted.out, /^1 imported into 0 new albums, 1 already present, 0 not imported\.$/m);
  assert.deepEqual(await readTitles(), ['Counted', 'Other']);
});

async function findSidecar(title: string): Promise<{ sidecar: string; described: object }> {
  for (const name of await readdir(root)) {
    if (!name.endsWith('.json')) continue;
    const described = JSON.parse(await readFile(join(root, name), 'utf8'));
    if (described.title === title) return { sidecar: join(root, name), described };
  }
  throw new Error(`The export has no photo ${title}`);
}
