import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { startGallery } from '../../support/harness.ts';
import { objectsStored } from '../../support/holdings.ts';
import { addPhoto, register } from '../../support/people.ts';
import { jpeg } from '../../support/pictures.ts';

test('a size that the database does not take leaves no object behind, and is made when it is asked for again', async (context) => {
  const gallery = await startGallery();
  context.after(gallery.close);
  const { deps } = gallery;
  const owner = await register(gallery, 'owner');
  const { id } = await addPhoto(owner, {}, await jpeg({ width: 900, height: 600 }));
  const { image } = (await owner.get(`/api/photos/${id}`)).body.data;
  const path = image.replace('{width}', '320');
  const sizes = async () => (await objectsStored(deps)).filter((name) => name.includes('.w320.'));
  const rename = (from: string, to: string) =>
    sql`ALTER TABLE ${sql.ref(from)} RENAME TO ${sql.ref(to)}`.execute(deps.db.kysely);

  const { put } = deps.storage;
  let stored = 0;
  deps.storage.put = async (objects) => {
    await put(objects);
    stored = (await sizes()).length;
    await rename('size_claims', 'claims_away');
  };
  await owner.get(path);
  deps.storage.put = put;
  await rename('claims_away', 'size_claims');
  assert.equal(stored, 1);
  assert.deepEqual(await sizes(), []);
  // As its claim would end by itself.
  gallery.travel(60);
  assert.equal((await owner.get(path)).status, 200);
  assert.equal((await sizes()).length, 1);
});
