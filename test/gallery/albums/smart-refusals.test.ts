/** Smart albums refuse invalid rules, and photos or albums that someone tries to put into them in any way. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertAlbumsConsistent } from '../../support/albums.ts';
import { assertRead, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addAlbum, addPhoto, type Person, register, registerAdmin } from '../../support/people.ts';
import { createJpeg } from '../../support/pictures.ts';

describe('smart albums refuse', () => {
  let gallery: Gallery;
  let ann: Person;
  let bea: Person;
  let admin: Person;
  let photo: number;
  let ordinary: number;
  let smart: number;

  before(async () => {
    gallery = await startGallery();
    ann = await register(gallery, 'ann');
    bea = await register(gallery, 'bea');
    admin = await registerAdmin(gallery, 'admin');
    ordinary = await addAlbum(ann, 'Ordinary');
    photo = (await addPhoto(ann, { tags: 'sea', album_id: String(ordinary) })).id;
    smart = assertWritten(await ann.post('/api/albums', { name: 'Smart', rule: 'tag:sea' })).id;
  });
  after(() => gallery?.close());

  const readAlbumId = async () => assertRead(await ann.get(`/api/photos/${photo}`)).album?.id;

  test('an invalid rule of a smart album answers with position and fields, and keeps the old rule', async () => {
    const wrong = [
      'sea iso:high',
      'is:mine',
      'tag:',
      `${'('.repeat(11)}a${')'.repeat(11)}`,
      'a '.repeat(31),
      ' ',
      '',
    ];
    for (const rule of wrong) {
      assertRefused(await ann.post('/api/albums', { name: 'Wrong', rule }), 400, 400, ['rule']);
      assertRefused(await ann.put(`/api/albums/${smart}`, { rule }), 400, 400, ['rule']);
    }
    const long = { name: 'Long', rule: 'a'.repeat(10_000) };
    assertRefused(await ann.post('/api/albums', long), 400, 400, ['rule']);
    for (const rule of [7, ['a'], { q: 'a' }, 'a\u0000']) {
      assertRefused(await ann.post('/api/albums', { name: 'Wrong', rule }), 400, 400, ['rule']);
    }
    const { body } = await ann.post('/api/albums', { name: 'Wrong', rule: 'sea iso:high' });
    assert.match(
      body.errors.rule[0],
      /^Cannot be read at character 5: "high" is not a value such as .* Fields: tag, by, /,
    );
    assert.equal(assertRead(await ann.get(`/api/albums/${smart}`)).rule, 'tag:sea');
    const { list } = assertRead(await ann.get('/api/albums?limit=100'));
    assert.equal(list.length, 2, 'none was made');
  });

  test('the rule of a smart album cannot name other smart albums of its owner or itself', async () => {
    const named = { name: 'Named', rule: `sea OR -(album:${ordinary} album:${smart})` };
    const refused = await ann.post('/api/albums', named);
    assertRefused(refused, 400, 400, ['rule']);
    assert.match(refused.body.errors.rule[0], new RegExp(`Names the smart album ${smart}`));
    assertRefused(await ann.put(`/api/albums/${smart}`, { rule: `album:${smart}` }), 400, 400, ['rule']);
    // A rule cannot read albums of other users: it gets no error about them, and finds no photos in them.
    const other = assertWritten(await bea.post('/api/albums', { name: 'Other', rule: `album:${smart}` })).id;
    assert.equal(assertRead(await bea.get(`/api/albums/${other}/photos`)).pagination.total, 0);
    // A rule names an id that becomes a smart album later. The rule of the later album is not followed.
    const next = other + 1;
    assertWritten(await ann.put(`/api/albums/${smart}`, { rule: `album:${next} OR tag:sea` }));
    const later = assertWritten(await ann.post('/api/albums', { name: 'Later', rule: '-tag:sea' })).id;
    assert.equal(later, next);
    await addPhoto(ann, { tags: 'land' });
    assert.equal(assertRead(await ann.get(`/api/albums/${smart}/photos`)).pagination.total, 1);
    assert.equal(assertRead(await ann.get(`/api/photos?q=album:${smart}`)).pagination.total, 1);
    assertWritten(await ann.put(`/api/albums/${smart}`, { rule: 'tag:sea' }));
  });

  test('smart albums cannot become ordinary albums, and ordinary albums cannot become smart', async () => {
    const taken = await ann.put(`/api/albums/${smart}`, { rule: null });
    assertRefused(taken, 400, 400, ['rule']);
    assert.match(taken.body.errors.rule[0], /Cannot be removed/);
    const given = await ann.put(`/api/albums/${ordinary}`, { rule: 'tag:sea', name: 'Changed' });
    assertRefused(given, 400, 400, ['rule']);
    const { name, rule } = assertRead(await ann.get(`/api/albums/${ordinary}`));
    assert.deepEqual([name, rule], ['Ordinary', null]);
    assertWritten(await ann.put(`/api/albums/${ordinary}`, { rule: null }));
    assertRefused(await ann.put(`/api/albums/${smart}`, { cover_id: photo }), 400, 400, ['cover_id']);
  });

  test("others cannot change the rule of a smart album, and an admin's change is logged", async () => {
    assertRefused(await bea.put(`/api/albums/${smart}`, { rule: 'tag:x' }), 403, 30002);
    const changed = assertWritten(await admin.put(`/api/albums/${smart}`, { rule: 'tag:sea -tag:x' }));
    assert.equal(changed.rule, 'tag:sea -tag:x');
    const { list } = assertRead(await admin.get('/api/admin/logs?action=album.update'));
    assert.deepEqual([list[0].action, list[0].details.fields], ['album.update', ['rule']]);
    const ofAnn = `album:${ordinary}`;
    assertWritten(await admin.put(`/api/albums/${smart}`, { rule: ofAnn }));
    assert.equal(assertRead(await ann.get(`/api/albums/${smart}/photos`)).pagination.total, 1);
    assertWritten(await ann.put(`/api/albums/${smart}`, { rule: 'tag:sea' }));
  });

  test('smart albums refuse photos in every request that adds photos', async () => {
    const file = await createJpeg({ colour: '#282' });
    assertRefused(await ann.upload(file, { album_id: String(smart) }), 409, 30004);
    assertRefused(await ann.post(`/api/albums/${smart}/photos`, { ids: [photo] }), 409, 30004);
    assertRefused(await ann.send('DELETE', `/api/albums/${smart}/photos?ids=${photo}`), 409, 30004);
    assertRefused(await ann.put(`/api/albums/${smart}/order`, { ids: [photo] }), 409, 30004);
    assertRefused(await ann.put(`/api/photos/${photo}`, { album_id: smart }), 409, 30004);
    assertRefused(await admin.put(`/api/photos/${photo}`, { album_id: smart }), 409, 30004);
    const batch = { ids: [photo], action: 'move', album_id: smart };
    const { success, failed } = assertWritten(await ann.post('/api/photos/batch', batch));
    assert.deepEqual(success, []);
    assert.deepEqual([failed[0].id, failed[0].code], [photo, 30004]);
    const metadata = `filename ${btoa('a.jpg')},album_id ${btoa(String(smart))}`;
    const created = await ann.send('POST', '/api/uploads', {
      headers: { 'tus-resumable': '1.0.0', 'upload-length': '100', 'upload-metadata': metadata },
    });
    assertRefused(created, 409, 30004);
    // Strangers who add photos to a smart album get the same errors as for any other album.
    assertRefused(await bea.post(`/api/albums/${smart}/photos`, { ids: [photo] }), 403, 30002);
    assertRefused(await bea.upload(file, { album_id: String(smart) }), 403, 30002);
    assert.equal(await readAlbumId(), ordinary);
    assert.equal(assertRead(await ann.get('/api/photos')).pagination.total, 2);
    await assertAlbumsConsistent(gallery);
  });

  test('smart albums refuse inner albums, whose photos would be hidden', async () => {
    assertRefused(await ann.post('/api/albums', { name: 'In it', parent_id: smart }), 409, 30004);
    assertRefused(await ann.put(`/api/albums/${ordinary}`, { parent_id: smart }), 409, 30004);
    const inner = { name: 'In it', parent_id: smart, rule: 'tag:sea' };
    assertRefused(await ann.post('/api/albums', inner), 409, 30004);
    assert.equal(assertRead(await ann.get(`/api/albums/${ordinary}`)).parent_id, 0);
  });
});
