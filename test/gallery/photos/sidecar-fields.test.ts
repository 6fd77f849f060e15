/** Tests the fields of an upload with what other programs say: time in UTC, place, and XMP beside the photo. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertDone, assertRead, assertRefused } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addPhoto, type Person, register, registerAdmin } from '../../support/people.ts';
import { createJpeg } from '../../support/pictures.ts';
import { sendChunk, startUpload } from '../../support/uploads.ts';

const xmp = (inner: string) =>
  `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" xmlns:exif="http://ns.adobe.com/exif/1.0/">${inner}</rdf:Description></rdf:RDF></x:xmpmeta>`;
const alt = (name: string, text: string) =>
  `<${name}><rdf:Alt><rdf:li xml:lang="x-default">${text}</rdf:li></rdf:Alt></${name}>`;

describe('what other programs say about an upload', () => {
  let gallery: Gallery;
  let owner: Person;
  let colour = 0;

  before(async () => {
    gallery = await startGallery();
    owner = await register(gallery, 'owner');
  });
  after(() => gallery.close());

  const read = async (id: number) => assertRead(await owner.get(`/api/photos/${id}`));

  async function uploadByTus(fields: Record<string, string>) {
    const bytes = await createJpeg({
      width: 90,
      height: 60,
      colour: `hsl(${colour++}, 45%, 45%)`,
    });
    const path = await startUpload(owner, bytes.length, fields);
    const answer = await sendChunk(owner, path, 0, bytes);
    assert.equal(answer.status, 200, answer.bytes.toString());
    return read(answer.body.data.id);
  }

  test('a time in UTC is moved to the time zone of the place, in the form and in resumable uploads', async () => {
    const fields = { utc_time: '2019-07-01 22:30:00', place: '35.68,139.69' };
    for (const photo of [await read((await addPhoto(owner, fields)).id), await uploadByTus(fields)]) {
      assert.equal(photo.taken_time, '2019-07-02 07:30:00');
      assert.deepEqual([photo.location?.latitude, photo.location?.longitude], [35.68, 139.69]);
    }
  });

  test('the texts, the time and the place of XMP count before those of other programs', async () => {
    const content = `${alt('dc:title', 'Harbour')}${alt('dc:description', 'At dawn')}<dc:subject><rdf:Bag><rdf:li>sea</rdf:li></rdf:Bag></dc:subject><photoshop:DateCreated>2018-05-06T07:08:09</photoshop:DateCreated>`;
    const photo = await uploadByTus({
      filename: 'IMG_1.jpg',
      title: 'IMG_1',
      xmp: xmp(content),
      utc_time: '2019-07-01 22:30:00',
    });
    const { title, description, tags, taken_time } = photo;
    assert.deepEqual(
      { title, description, tags, taken_time },
      { title: 'Harbour', description: 'At dawn', tags: ['sea'], taken_time: '2018-05-06 07:08:09' },
    );
  });

  test('a photo that is here takes over its sidecar later, and keeps what its owner corrected or shows', async () => {
    const content = `${alt('dc:title', 'Harbour')}<dc:subject><rdf:Bag><rdf:li>sea</rdf:li></rdf:Bag></dc:subject>`;
    const sidecar = { xmp: xmp(content), utc_time: '2019-07-01 22:30:00', place: '35.68,139.69' };
    const add = async (visibility: string) => (await addPhoto(owner, { visibility })).id;
    const plain = await add('private');
    const corrected = await add('private');
    assertDone(
      await owner.put(`/api/photos/${corrected}`, { taken_time: '2001-02-03 04:05:06', location: null }),
    );
    const shown = await add('public');
    for (const id of [plain, corrected, shown]) {
      assertDone(await owner.put(`/api/photos/${id}/sidecar`, sidecar));
      assertDone(await owner.put(`/api/photos/${id}/sidecar`, { description: 'At dawn' }));
    }
    const [one, two, three] = await Promise.all([plain, corrected, shown].map(read));
    const tell = ({ title, description, tags, taken_time, location }: typeof one) => [
      title,
      description,
      tags,
      taken_time,
      location?.latitude,
    ];
    assert.deepEqual(tell(one), ['Harbour', 'At dawn', ['sea'], '2019-07-02 07:30:00', 35.68]);
    assert.equal(two.taken_time, '2001-02-03 04:05:06');
    assert.deepEqual(tell(three), ['', '', [], '2019-07-02 07:30:00', 35.68]);
    assert.equal(three.file.title, 'Harbour', 'the owner is offered the texts');
  });

  test('only the owner completes a photo', async () => {
    const { id } = await addPhoto(owner, { visibility: 'public' });
    const admin = await registerAdmin(gallery, 'root');
    for (const who of [await register(gallery, 'someone'), admin])
      assertRefused(await who.put(`/api/photos/${id}/sidecar`, { title: 'x' }), 403, 20004);
    assertRefused(await owner.put('/api/photos/999999/sidecar', {}), 404, 20003);
    assertRefused(await owner.put(`/api/photos/${id}/sidecar`, { place: '91,0' }), 400, 400, ['place']);
  });

  test('hostile XMP is read within bounds, and changes no photo of another person', async () => {
    const { id: own } = await addPhoto(owner, {}, await createJpeg({ width: 71, height: 48 }));
    const someone = await register(gallery, 'mallory');
    const before = assertRead(await owner.get(`/api/photos/${own}`));
    const nested = (depth: number) => `${'<a>'.repeat(depth)}x${'</a>'.repeat(depth)}`;
    const hostile = [
      `<!DOCTYPE x [<!ENTITY a "${'a'.repeat(60)}"><!ENTITY b "${'&a;'.repeat(900)}"><!ENTITY c "${'&b;'.repeat(900)}">]><x>&c;</x>`,
      '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><x>&a;</x>',
      nested(1000),
      '<a>'.repeat(2600),
      '<'.repeat(8000),
      '<!--'.repeat(2000),
      '<rdf:RDF><__proto__>x</__proto__></rdf:RDF>',
    ];
    for (const xmp of hostile) {
      const answer = await someone.put(`/api/photos/${own}/sidecar`, { xmp });
      assert.ok([403, 404].includes(answer.status), `${answer.status}: ${xmp.slice(0, 40)}`);
      assertDone(await owner.put(`/api/photos/${own}/sidecar`, { xmp }));
    }
    const now = assertRead(await owner.get(`/api/photos/${own}`));
    for (const field of ['title', 'description', 'tags', 'taken_time', 'location', 'rating', 'visibility'])
      assert.deepEqual(now[field], before[field], field);
  });

  test('damaged XMP says nothing, and the photo is accepted', async () => {
    for (const broken of [
      '<',
      xmp('<dc:title>'),
      'x'.repeat(8000),
      '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>',
    ]) {
      const { title } = await uploadByTus({ title: 'kept', xmp: broken });
      assert.equal(title, 'kept');
    }
  });

  test('refuses times and places that nobody can read, and XMP that is too long', async () => {
    const bad = {
      utc_time: ['tomorrow', '2019-13-01 00:00:00', '1561948200'],
      place: ['91,0', '0,181', '1', '1;2', 'a,b', '1,2,3', '0,0'],
      xmp: ['x'.repeat(8001)],
    };
    for (const [name, values] of Object.entries(bad)) {
      for (const value of values) {
        const { status, body } = await owner.upload(await createJpeg(), { [name]: value });
        assert.equal(status, 400, `${name}: ${value.slice(0, 30)}`);
        assert.deepEqual(Object.keys(body.errors), [name]);
      }
    }
  });

  test('nobody but the owner sees the place', async () => {
    const { id } = await addPhoto(owner, { place: '46.5,7.96', visibility: 'public' });
    const other = await register(gallery, 'other');
    const shown = assertRead(await other.get(`/api/photos/${id}`));
    assert.ok(!JSON.stringify(shown).includes('46.5'));
    assert.equal((await read(id)).location.latitude, 46.5);
  });
});
