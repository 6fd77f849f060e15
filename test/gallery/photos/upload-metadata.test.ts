/** Tests which fields of a photo the file fills, for uploads by form and resumable uploads. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertRead, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { type Person, register } from '../../support/people.ts';
import { createPhoto, createXmp, createXmpList } from '../../support/photo-metadata.ts';
import { createUpload, sendChunk, startUpload } from '../../support/uploads.ts';

describe('the metadata of an uploaded file', () => {
  let gallery: Gallery;
  let owner: Person;

  before(async () => {
    gallery = await startGallery();
    owner = await register(gallery, 'owner');
  });
  after(() => gallery.close());

  const detail = async (id: number) => assertRead(await owner.get(`/api/photos/${id}`));

  /** Uploads a file both ways and asserts that both photos have the same fields. */
  async function upload(metadata: Parameters<typeof createPhoto>[0], fields = {}, filename = 'photo.jpg') {
    const file = await createPhoto(metadata);
    const byForm = await detail(assertWritten(await owner.upload(file, fields, filename)).id);
    const path = await startUpload(owner, file.length, { filename, ...fields });
    const byTus = await detail(assertWritten(await sendChunk(owner, path, 0, file)).id);
    for (const name of ['title', 'description', 'tags', 'location'])
      assert.deepEqual(byTus[name], byForm[name], name);
    // Without any time, both have the time of their upload.
    assert.ok(Math.abs(Date.parse(byTus.taken_time) - Date.parse(byForm.taken_time)) < 60_000);
    return byForm;
  }

  const xmp = createXmp(
    '',
    createXmpList('dc:title', ['Ridge'], 'Alt') +
      createXmpList('dc:description', ['A ridge'], 'Alt') +
      createXmpList('dc:subject', [
        'alps',
        'Alps ',
        'snow',
        ...Array.from({ length: 40 }, (_, i) => `t${i}`),
      ]),
  );

  test('fills title, description and tags that the client does not send', async () => {
    const { title, description, tags } = await upload({ xmp });
    assert.deepEqual([title, description], ['Ridge', 'A ridge']);
    assert.equal(tags.length, 30, 'as many as a person can type');
    assert.deepEqual(tags.slice(0, 3), ['alps', 'snow', 't0']);
    const { list } = assertRead(await owner.get('/api/photos?tag=snow'));
    assert.equal(list[0].title, 'Ridge');
  });

  test('leaves what the client sends', async () => {
    const { title, description, tags } = await upload(
      { xmp },
      { title: 'Mine', description: 'My', tags: 'a' },
    );
    assert.deepEqual([title, description, tags], ['Mine', 'My', ['a']]);
  });

  test('replaces a title that is only the name of the file', async () => {
    assert.equal((await upload({ xmp }, { title: 'DSC_1' }, 'DSC_1.JPG')).title, 'Ridge');
    assert.equal((await upload({}, { title: 'DSC_1' }, 'DSC_1.JPG')).title, 'DSC_1');
  });

  test('has the time of the file, then of its name, then of the client', async () => {
    const fields = { file_time: '2012-03-04 05:06:07' };
    const IFD2 = { DateTimeOriginal: '2024:01:01 08:30:00', OffsetTimeOriginal: '+09:00' };
    const name = 'IMG-20190405-WA0001.jpg';
    assert.equal((await upload({ IFD2 }, fields, name)).taken_time, '2024-01-01 08:30:00');
    const { list } = assertRead(await owner.get('/api/photos?q=taken:2024-01'));
    assert.equal(list.length, 2);
    assert.equal((await upload({}, fields, name)).taken_time, '2019-04-05 00:00:00');
    assert.equal((await upload({}, fields, 'DSC_99887766.jpg')).taken_time, '2012-03-04 05:06:07');
    for (const late of [undefined, { file_time: '2199-03-04 05:06:07' }]) {
      const { id } = assertWritten(await owner.upload(await createPhoto(), late));
      const { taken_time, create_time } = await detail(id);
      assert.equal(taken_time, create_time, 'the time of upload');
    }
  });

  test('names no place that a phone has hidden', async () => {
    const zero = { GPSLatitude: '0/1 0/1 0/1', GPSLongitude: '0/1 0/1 0/1' };
    const IFD3 = { ...zero, GPSLatitudeRef: 'N', GPSLongitudeRef: 'E' };
    assert.equal((await upload({ IFD3 })).location, null);
    const place = { ...IFD3, GPSLongitude: '9/1 27/1 0/1' };
    assert.deepEqual((await upload({ IFD3: place })).location, { latitude: 0, longitude: 9.45 });
  });

  test('refuses a malformed time of the client', async () => {
    const file = await createPhoto();
    const bad = [
      '2012-03-04',
      '2012-03-04T05:06:07',
      '2012-02-30 05:06:07',
      '2012-03-04 25:06:07',
      'now',
      '',
    ];
    for (const file_time of bad.slice(0, -1)) {
      assertRefused(await owner.upload(file, { file_time }), 400, 400, ['file_time']);
      assertRefused(await createUpload(owner, file.length, { file_time }), 400, 400, ['file_time']);
    }
    assertWritten(await owner.upload(file, { file_time: '' }));
  });
});
