/** Tests which names and dates a word of `q` finds beside title, description and tags, and for whom. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertDone, assertRead, assertWritten } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addAlbum, addPhoto, asVisitor, type Person, register } from '../../support/people.ts';
import { createJpeg } from '../../support/pictures.ts';

describe('words of q', () => {
  let gallery: Gallery;
  let ann: Person;
  let bea: Person;
  let visitor: Person;
  before(async () => {
    gallery = await startGallery({}, { isIdle: true });
    [ann, bea] = [await register(gallery, 'ansel'), await register(gallery, 'bea')];
    visitor = asVisitor(gallery);
    assertWritten(await ann.put('/api/auth/profile', { nickname: 'Zoë Weston' }));
    const picture = await createJpeg({ width: 20, height: 20 });
    const openAlbum = await addAlbum(ann, 'Kyōto trip');
    const secretAlbum = await addAlbum(ann, 'Surprise party', { visibility: 'private' });
    const first = (await addPhoto(ann, { title: 'first', album_id: String(openAlbum) }, picture)).id;
    const plainAlbum = await addAlbum(ann, 'Plain');
    const second = (await addPhoto(ann, { title: 'second', album_id: String(plainAlbum) }, picture)).id;
    await addPhoto(bea, { title: 'third', description: 'no. 2019 of 5000' }, picture);
    assertWritten(await ann.post(`/api/albums/${secretAlbum}/photos`, { ids: [second] }));
    const { kysely } = gallery.deps.db;
    const set = (id: number, change: object) =>
      kysely.updateTable('photos').set(change).where('id', '=', id).execute();
    await set(first, { camera: 'NIKON Z 6', lens: 'NIKKOR 35mm', taken_time: Date.UTC(2019, 4, 17) / 1000 });
    await set(second, { camera: 'Leica M6', taken_time: Date.UTC(1994, 11, 24) / 1000 });
    const names = ['NIKON Z 6', 'NIKKOR 35mm', 'Leica M6'].map((name) => ({
      name,
      name_key: name.toLowerCase(),
    }));
    await kysely.insertInto('equipment_names').values(names).execute();
    for (const [id, file_name] of [
      [first, 'DSCF0815.jpg'],
      [second, 'geheim-0816.jpg'],
    ] as const) {
      await set(id, { file_name });
      assertDone(await ann.put(`/api/photos/${id}`, { description: `of ${id}` }));
    }
  });
  after(() => gallery.close());

  async function find(who: Person, q: string): Promise<string[]> {
    const { list, pagination } = assertRead(await who.get(`/api/photos?q=${encodeURIComponent(q)}`));
    assert.equal(pagination.total, list.length, q);
    const { list: months } = assertRead(await who.get(`/api/timeline?q=${encodeURIComponent(q)}`));
    const counted = months.reduce((sum: number, { count }: { count: number }) => sum + count, 0);
    assert.equal(counted, list.length, `timeline of ${q}`);
    return list.map(({ title }: { title: string }) => title).sort();
  }

  const forEveryone: [string, string[]][] = [
    ['nikon', ['first']],
    ['nikon 2019', ['first']],
    ['nikon 1994', []],
    ['nikkor', ['first']],
    ['leica OR third', ['second', 'third']],
    ['-nikon', ['second', 'third']],
    ['ansel', ['first', 'second']],
    ['zoe', ['first', 'second']],
    ['weston leica', ['second']],
    ['kyoto', ['first']],
    ['2019', ['first', 'third']],
    ['2019-05', ['first']],
    ['2019年5月', ['first']],
    ['1990s', ['second']],
    ['may', ['first']],
    ['mai 2019', ['first']],
    ['december', ['second']],
    ['Dez', ['second']],
    ['décembre', ['second']],
    ['十二月', ['second']],
    ['12月 leica', ['second']],
    ['декабрь', ['second']],
    ['декабря', ['second']],
    ['-december', ['first', 'third'].filter((title) => title !== 'third' || new Date().getUTCMonth() !== 11)],
    ['"nikon 2019"', []],
    ['5000', ['third']],
    ['nosuchname', []],
  ];
  test('a word finds cameras, lenses, owners, albums and dates', async () => {
    for (const [q, expected] of forEveryone) assert.deepEqual(await find(visitor, q), expected, q);
  });

  test('keyword searches title, description and tags alone', async () => {
    for (const word of ['nikon', 'ansel', 'kyoto', '1994', 'DSCF0815'])
      assert.equal(assertRead(await ann.get(`/api/photos?keyword=${word}`)).pagination.total, 0, word);
  });

  test('names of private albums and file names are found by their owner alone', async () => {
    const own: [string, string[]][] = [
      ['surprise', ['second']],
      ['DSCF0815', ['first']],
      ['08', ['first', 'second']],
      ['geheim leica', ['second']],
    ];
    for (const [q, expected] of own) {
      assert.deepEqual(await find(ann, q), expected, q);
      for (const who of [bea, visitor]) {
        assert.deepEqual(await find(who, q), [], `${who.name}: ${q}`);
        assert.deepEqual(
          await find(who, `-${q.split(' ')[0]}`),
          ['first', 'second', 'third'],
          `${who.name}: -${q}`,
        );
      }
    }
  });

  test('words of the rule of a smart album find title, description and tags alone', async () => {
    for (const rule of ['nikon', 'geheim', '1994']) {
      const { id } = assertWritten(await ann.post('/api/albums', { name: `Rule ${rule}`, rule }));
      assert.equal(assertRead(await ann.get(`/api/albums/${id}/photos`)).pagination.total, 0, rule);
    }
  });
});
