/**
 * Tests queries with words and fields: a photo is found by its current values, whatever they were when its
 * text was indexed.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { Visibility } from '../../../server/platform/db/states.ts';
import { assertRead, assertWritten } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addAlbum, addPhoto, asVisitor, type Person, register } from '../../support/people.ts';
import { createJpeg } from '../../support/pictures.ts';

describe('words and fields', () => {
  let gallery: Gallery;
  let ann: Person;
  let id: number;
  let one: number;
  before(async () => {
    gallery = await startGallery({}, { isIdle: true });
    ann = await register(gallery, 'ann');
    const picture = await createJpeg({ width: 40, height: 20 });
    one = await addAlbum(ann, 'One');
    ({ id } = await addPhoto(ann, { title: 'Sunset', album_id: String(one) }, picture));
    await addPhoto(ann, { title: 'Dawn' }, picture);
  });
  after(() => gallery.close());

  async function isFound(q: string, who = ann): Promise<boolean> {
    const path = `/api/photos?q=${encodeURIComponent(q)}`;
    const { list, pagination } = assertRead(await who.get(path));
    assert.equal(pagination.total, list.length, q);
    assert.ok(list.length === 0 || (list.length === 1 && list[0].id === id), q);
    return list.length === 1;
  }

  test('search words and fields follow the deletion of an album', async () => {
    assert.equal(await isFound(`sunset album:${one}`), true);
    assert.equal((await ann.delete(`/api/albums/${one}`)).status, 200);
    assert.equal(await isFound(`sunset album:${one}`), false);
    assert.equal(await isFound(`sunset -album:${one}`), true);
  });

  test('search words and fields follow an edit', async () => {
    assert.equal(await isFound('sunset shape:landscape'), true);
    assertWritten(await ann.post(`/api/photos/${id}/edit`, { action: 'rotate', params: { angle: 90 } }));
    assert.equal(await isFound('sunset shape:landscape'), false);
    assert.equal(await isFound('sunset shape:portrait'), true);
  });

  test('search words find text of the file that is read later', async () => {
    const { kysely } = gallery.deps.db;
    const set = (change: object) => kysely.updateTable('photos').set(change).where('id', '=', id).execute();
    await kysely.insertInto('equipment_names').values({ name: 'Leica M6', name_key: 'leica m6' }).execute();
    const taken_time = Date.UTC(2024, 4, 17) / 1000;
    await set({
      iso: 800,
      aperture: 'f/2',
      focal_length: 35,
      camera: 'Leica M6',
      lens: 'Leica M6',
      taken_time,
    });
    const fields = ['iso:800', 'aperture:2', 'focal:35', 'camera:leica', 'lens:leica', 'taken:2024-05-17'];
    for (const field of fields) assert.equal(await isFound(`sunset ${field}`), true, field);
    await set({ iso: 100, aperture: '', focal_length: 0, camera: '', lens: '', taken_time: 0 });
    for (const field of fields) assert.equal(await isFound(`sunset ${field}`), false, field);
  });

  test('search words obey the visibility of a photo while the search index changes', async () => {
    const visitor = asVisitor(gallery);
    const { kysely } = gallery.deps.db;
    const see = (visibility: Visibility) =>
      sql`UPDATE photos SET visibility = ${visibility} WHERE id = ${id}`.execute(kysely);
    assert.equal(await isFound('sunset shape:portrait', visitor), true);
    await sql`INSERT INTO visibility_jobs (kind, id, user_id)
      SELECT 'photo', id, user_id FROM photos WHERE id = ${id}`.execute(kysely);
    await see(Visibility.private);
    assert.equal(await isFound('sunset shape:portrait', visitor), false);
    assert.equal(await isFound('sunset shape:portrait'), true);
    await see(Visibility.public);
    await sql`DELETE FROM visibility_jobs`.execute(kysely);
    assert.equal(await isFound('sunset shape:portrait', visitor), true);
  });
});
