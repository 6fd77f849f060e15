/**
 * A link to a smart album shows the public photos that its rule finds. Archives contain the photos that the
 * viewer may see.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertDone, assertRead, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import {
  addPhoto,
  asVisitor,
  disableAccount,
  type Person,
  register,
  registerAdmin,
} from '../../support/people.ts';
import { createJpegWithExif } from '../../support/pictures.ts';
import { unzip } from '../../support/zip.ts';
import { listed, open, unlock } from './steps.ts';

describe('a smart album', () => {
  let gallery: Gallery;
  let ann: Person;
  let bea: Person;
  let admin: Person;
  let visitor: Person;
  let file: Buffer;
  let smart: number;
  const ids: Record<string, number> = {};

  before(async () => {
    gallery = await startGallery();
    ann = await register(gallery, 'ann');
    bea = await register(gallery, 'bea');
    admin = await registerAdmin(gallery, 'admin');
    visitor = asVisitor(gallery);
    file = await createJpegWithExif();
    for (const [title, is_public] of [
      ['one', '1'],
      ['two', '1'],
      ['hidden', '0'],
    ] as const) {
      ids[title] = (await addPhoto(ann, { title, is_public, tags: 'alps' }, file)).id;
    }
    await addPhoto(bea, { title: 'of bea', tags: 'alps' });
    smart = await addSmart('Alps', 'tag:alps');
  });
  after(() => gallery?.close());

  const addSmart = async (name: string, rule: string, more: object = {}): Promise<number> =>
    assertWritten(await ann.post('/api/albums', { name, rule, ...more })).id;
  const share = async (who: Person, album: number, more: object = {}) => {
    const made = assertWritten(await who.post(`/api/albums/${album}/share`, { type: 'link', ...more }));
    return { ...made, token: made.url.split('/').at(-1) as string };
  };
  const titlesIn = ({ photos }: { photos: { list: { title: string }[] } }) =>
    photos.list.map(({ title }) => title);
  const namesIn = async (path: string, who = visitor) => {
    const answer = await who.get(path);
    assert.equal(answer.status, 200, answer.bytes.toString('latin1').slice(0, 200));
    return [...(await unzip(answer.bytes)).files.keys()];
  };

  test('is shared with its public photos alone, also by its owner and when it is private itself', async () => {
    const closed = await addSmart('Closed', 'tag:alps', { is_public: 0 });
    for (const [who, album] of [
      [ann, smart],
      [admin, smart],
      [ann, closed],
    ] as const) {
      const { token, id } = await share(who, album);
      const answer = await open(gallery, token);
      const shown = assertRead(answer);
      assert.deepEqual(titlesIn(shown), ['two', 'one']);
      assert.deepEqual(
        [shown.photos.pagination.total, shown.album.photo_count, shown.album.is_smart, shown.album.rule],
        [2, 2, true, null],
      );
      assert.ok(!/hidden|tag:/.test(answer.bytes.toString()), 'neither a private photo nor the rule');
      const two = assertRead(await visitor.get(`/api/photos/${ids.two}`));
      assert.equal(shown.album.cover, two.thumb);
      const page = (await visitor.get(`/s/${token}`)).bytes.toString();
      assert.match(page, /2 photos/);
      assert.ok(!/hidden|tag:/.test(page));
      assert.ok(page.includes(two.thumb));
      assert.deepEqual(await namesIn(`/api/shares/${token}/download`), ['two.jpg', 'one.jpg']);
      assert.equal((await listed(who, id)).target.title, album === closed ? 'Closed' : 'Alps');
    }
    assertRefused(await bea.post(`/api/albums/${smart}/share`, { type: 'link' }), 403, 30002);
  });

  test('shows by its link what is public now, of what its rule is now, and ends with its owner', async () => {
    const { token } = await share(ann, smart, { password: 'open sesame' });
    assertRefused(await open(gallery, token), 403, 20008);
    const access = await unlock(gallery, token, 'open sesame');
    const titles = async () => titlesIn(assertRead(await open(gallery, token, access)));
    assert.deepEqual(await titles(), ['two', 'one']);
    assertDone(await ann.put(`/api/photos/${ids.two}`, { is_public: 0 }));
    assert.deepEqual(await titles(), ['one']);
    assert.deepEqual(await namesIn(`/api/shares/${token}/download?access=${access}`), ['one.jpg']);
    assertDone(await ann.put(`/api/photos/${ids.two}`, { visibility: 'members' }));
    assert.deepEqual(await titles(), ['one'], 'a photo for members is not public');
    assert.deepEqual(await namesIn(`/api/shares/${token}/download?access=${access}`), ['one.jpg']);
    assertDone(await ann.put(`/api/photos/${ids.two}`, { is_public: 1 }));
    assertWritten(await ann.put(`/api/albums/${smart}`, { rule: 'tag:alps is:private' }));
    assert.deepEqual(await titles(), []);
    assert.equal(assertRead(await open(gallery, token, access)).album.cover, '');
    assertWritten(await ann.put(`/api/albums/${smart}`, { rule: 'tag:alps' }));
    assertWritten(await ann.put(`/api/albums/${smart}`, { is_public: 0 }));
    assert.deepEqual(await titles(), ['two', 'one']);
    assertWritten(await ann.put(`/api/albums/${smart}`, { is_public: 1 }));
  });

  test('lends its link to no private photo', async () => {
    const { token, id } = await share(ann, smart);
    const before = assertRead(await ann.get(`/api/photos/${ids.hidden}`));
    for (const path of [before.thumb, before.preview, before.path]) {
      const bare = path.split('?')[0];
      assert.equal((await visitor.get(bare)).status, 403);
      assert.equal((await visitor.get(`${bare}?g=s${id}`)).status, 403);
    }
    assertDone(await ann.delete(`/api/albums/${smart}`));
    assertRefused(await open(gallery, token), 404, 20007);
    assert.equal(assertRead(await ann.get('/api/photos')).pagination.total, 4, 'no photo went with it');
    smart = await addSmart('Alps', 'tag:alps');
  });

  test('is a ZIP of what its reader may see, the newest first', async () => {
    const path = `/api/albums/${smart}/download`;
    assert.deepEqual(await namesIn(path), ['two.jpg', 'one.jpg']);
    assert.deepEqual(await namesIn(path, bea), ['two.jpg', 'one.jpg']);
    assert.deepEqual(await namesIn(path, ann), ['hidden.jpg', 'two.jpg', 'one.jpg']);
    assert.deepEqual(await namesIn(path, admin), ['hidden.jpg', 'two.jpg', 'one.jpg']);
    const { files } = await unzip((await ann.get(path)).bytes);
    assert.deepEqual(files.get('one.jpg'), file, 'its owner gets what was uploaded');
    const others = await unzip((await bea.get(path)).bytes);
    assert.ok(!others.files.get('one.jpg')!.includes('SERIAL-12345'));
    const made = assertWritten(await bea.post('/api/photos/archive', { q: `album:${smart}` }));
    assert.deepEqual(await namesIn(new URL(made.url).pathname), ['two.jpg', 'one.jpg']);
    const none = await addSmart('None', 'tag:none');
    assert.deepEqual(await namesIn(`/api/albums/${none}/download`), []);
  });

  test('is left out of the ZIP of the album that it is in: its photos are in others', async () => {
    const { id: outer } = assertWritten(await ann.post('/api/albums', { name: 'Outer' }));
    await addSmart('Inner', 'tag:alps', { parent_id: outer });
    await addPhoto(ann, { title: 'in outer', album_id: String(outer) });
    assert.deepEqual(await namesIn(`/api/albums/${outer}/download`, ann), ['in outer.jpg']);
    const { children } = assertRead(await ann.get(`/api/albums/${outer}`));
    assert.deepEqual([children[0].name, children[0].photo_count], ['Inner', 3]);
  });

  test('is gone by its link while its owner is disabled', async () => {
    const { token } = await share(admin, smart);
    assert.equal((await open(gallery, token)).status, 200);
    await disableAccount(gallery, ann);
    assertRefused(await open(gallery, token), 404, 20007);
    assertRefused(await visitor.get(`/api/shares/${token}/download`), 404, 20007);
  });
});
