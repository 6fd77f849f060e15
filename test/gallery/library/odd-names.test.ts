/** Tests the cleaning of titles, tags and names: one line, trimmed, and no characters that turn other text around. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addPhoto, type Person, register } from '../../support/people.ts';

const cleaned: [given: string, stored: string][] = [
  ['  Moonrise ', 'Moonrise'],
  ['Moon\r\nrise', 'Moon rise'],
  ['Moon\t\trise', 'Moon rise'],
  ['\u3000Moonrise\u00a0', 'Moonrise'],
  ['\ufeffMoonrise\u200b', 'Moonrise'],
  ['Moon\u202egpj.exe', 'Moongpj.exe'],
  ['\u2066Moon\u2069rise', 'Moonrise'],
  ['Moon\u0085rise', 'Moon rise'],
  ['Moon\u009b31mrise', 'Moon31mrise'],
  ['Moon\u2028rise', 'Moon rise'],
  ['\u202e \u2067\t', ''],
  ['ירח\u200f ו', 'ירח\u200f ו'],
  ['👩\u200d🚀', '👩\u200d🚀'],
];

describe('a name', () => {
  let gallery: Gallery;
  let owner: Person;
  before(async () => {
    gallery = await startGallery();
    owner = await register(gallery, 'owner');
  });
  after(() => gallery.close());

  for (const [given, stored] of cleaned)
    test(`is stored as one line: ${JSON.stringify(given)}`, async () => {
      const photo = await addPhoto(owner, { title: given, tags: given });
      const read = async () => (await owner.get(`/api/photos/${photo.id}`)).body.data;
      const first = await read();
      assert.equal(first.title, stored);
      assert.ok(first.tags.every((tag: string) => !/[\u0080-\u009f\u202a-\u202e\u2066-\u2069]/.test(tag)));
      await owner.put(`/api/photos/${photo.id}`, { title: `x${given}`, tags: [given] });
      const second = await read();
      assert.deepEqual(second.tags, stored === '' ? [] : [stored]);
      assert.doesNotMatch(second.title, /[\s\u0080-\u009f\u202a-\u202e\u2066-\u2069]$|[\n\t\u202a-\u202e]/);

      const album = await owner.post('/api/albums', { name: given });
      if (stored === '') assert.deepEqual(album.body.errors, { name: ['Must not be empty'] });
      else assert.equal((await owner.get(`/api/albums/${album.body.data.id}`)).body.data.name, stored);
      await owner.put('/api/auth/profile', { nickname: given });
      assert.equal((await owner.get('/api/auth/user')).body.data.nickname, stored);
    });

  test('with a control character of ASCII is refused', async () => {
    for (const text of ['a\u0000b', 'a\u0007b', '\u001b[31m', 'a\u007fb'])
      assert.equal((await owner.post('/api/albums', { name: text })).status, 400, JSON.stringify(text));
  });
});
