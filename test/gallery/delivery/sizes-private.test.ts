/** Tests sizes of photos that are not public: access follows the same rule as for thumbnails. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertDone, assertRead, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addPhoto, asVisitor, type Person, register, registerAdmin } from '../../support/people.ts';
import { createJpeg } from '../../support/pictures.ts';
import { listStoredSizes, readImagePath, readKey } from './sizes.ts';

describe('a size of a private photo', () => {
  let gallery: Gallery;
  let owner: Person;
  let stranger: Person;
  let admin: Person;
  let anybody: Person;
  let photo: Awaited<ReturnType<typeof addPhoto>>;
  let at: Awaited<ReturnType<typeof readImagePath>>;

  before(async () => {
    gallery = await startGallery();
    owner = await register(gallery, 'owner');
    stranger = await register(gallery, 'stranger');
    admin = await registerAdmin(gallery, 'admin');
    anybody = asVisitor(gallery);
    photo = await addPhoto(owner, { is_public: '0' }, await createJpeg({ width: 1000, height: 500 }));
    at = await readImagePath(owner, photo);
  });
  after(() => gallery.close());

  test('is for its owner and admins, and for holders of a signature, which covers all widths', async () => {
    const [plain, signature] = at(640).split('?') as [string, string];
    assert.match(signature, /^g=u\d+&e=\d+&s=/);
    for (const width of [320, 640, 1280]) {
      for (const format of ['webp', 'jpg']) {
        const path = plain.replace('w640.webp', `w${width}.${format}`);
        assert.equal((await anybody.get(`${path}?${signature}`)).status, 200);
        assert.equal((await owner.get(path)).status, 200);
        assert.equal((await admin.get(path)).status, 200);
        for (const who of [anybody, stranger]) assertRefused(await who.get(path), 403, 20004);
      }
    }
    const { headers } = await anybody.get(at(640));
    assert.match(headers.get('cache-control')!, /^private, max-age=\d+$/);
  });

  test('is not opened by a signature of anything else', async () => {
    const detail = assertRead(await owner.get(`/api/photos/${photo.id}`));
    const readSignature = (path: string) => path.split('?')[1]!;
    const other = await addPhoto(owner, { is_public: '0' });
    const others = [detail.thumb, detail.preview, detail.path, (await readImagePath(owner, other))(640)];
    const plain = at(640).split('?')[0]!;
    for (const path of others)
      assertRefused(await anybody.get(`${plain}?${readSignature(path)}`), 403, 20004);
    for (const path of [detail.thumb, detail.preview, detail.path]) {
      assertRefused(await anybody.get(`${path.split('?')[0]}?${readSignature(at(640))}`), 403, 20004);
    }
    const later = at(640).replace(/e=(\d+)/, (_, end) => `e=${Number(end) + 3600}`);
    assertRefused(await anybody.get(later), 403, 20004);
  });

  test('is no larger than the preview for a share without downloads', async () => {
    const large = await addPhoto(owner, { is_public: '0' }, await createJpeg({ width: 2400, height: 1600 }));
    const fields = { type: 'link', allow_download: false };
    const { url } = assertWritten(await owner.post(`/api/photos/${large.id}/share`, fields));
    const shared = assertRead(await anybody.get(`/api/shares/${url.split('/').at(-1)}`)).photo.image;
    for (const width of ['320', '1280']) {
      assert.equal((await anybody.get(shared.replace('{width}', width))).status, 200);
    }
    for (const width of ['1920', '2560']) {
      assertRefused(await anybody.get(shared.replace('{width}', width)), 403, 20004);
    }
  });

  test('is for everyone who is signed in if the photo is for members, and for no cache to share', async () => {
    const club = await addPhoto(
      owner,
      { visibility: 'members' },
      await createJpeg({ width: 800, height: 600 }),
    );
    const signed = (await readImagePath(stranger, club))(320);
    const [plain, signature] = signed.split('?') as [string, string];
    assert.match(signature, new RegExp(`^g=u${stranger.id}&e=`));
    for (const answer of [await stranger.get(plain), await anybody.get(signed)]) {
      assert.equal(answer.status, 200);
      assert.match(answer.headers.get('cache-control')!, /^private/);
    }
    assertRefused(await anybody.get(plain), 403, 20004);
    assertDone(await owner.put(`/api/photos/${club.id}`, { visibility: 'private' }));
    for (const path of [plain, signed]) assertRefused(await stranger.get(path), 403, 20004);
  });

  test('is hidden at once where a public one was seen', async () => {
    const open = await addPhoto(owner, {}, await createJpeg({ width: 800, height: 600 }));
    const path = (await readImagePath(owner, open))(320);
    assert.equal((await anybody.get(path)).status, 200);
    assertDone(await owner.put(`/api/photos/${open.id}`, { is_public: 0 }));
    for (const who of [anybody, stranger]) assertRefused(await who.get(path), 403, 20004);
    assertRefused(await anybody.get(path.replace('w320', 'w640')), 403, 20004);
    assert.deepEqual(
      await listStoredSizes(gallery, open),
      [`${readKey(open)}.w320.webp`],
      'nothing is made for strangers',
    );
  });
});
