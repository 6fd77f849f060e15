/** Tests the settings of a share link and their changes: expiry, password, downloads. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { testRights } from '../../contract/steps/rights-walk.ts';
import { assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addAlbum, addPhoto, asVisitor, type Person, register, registerAdmin } from '../../support/people.ts';
import { createJpegWithExif } from '../../support/pictures.ts';
import {
  addSharedPhoto,
  assertGone,
  type CreatedShare,
  download,
  listed,
  loadSharePage,
  open,
  privateFields,
  share,
  sharePrivate,
  shown,
  unlock,
} from './steps.ts';

let gallery: Gallery;
let olga: Person;
let sven: Person;

before(async () => {
  gallery = await startGallery();
  olga = await register(gallery, 'olga');
  sven = await register(gallery, 'sven');
});
after(() => gallery?.close());

const change = (made: CreatedShare, body: object, who = olga) => who.put(`/api/shares/${made.id}`, body);

suite('changing a share', () => {
  test('changes what is given, and answers the share', async () => {
    const made = await sharePrivate(olga, { expires: 1, password: 'blue heron' });
    const before = await listed(olga, made.id);
    assert.deepEqual([before.has_password, before.allow_download, before.max_views], [true, true, null]);
    assert.deepEqual([before.views, before.downloads, before.last_view_time], [0, 0, '']);
    assert.deepEqual(assertWritten(await change(made, {})), before);

    const open = assertWritten(await change(made, { password: null, expires: null }));
    assert.deepEqual([open.has_password, open.expire_time, open.url], [false, '', made.url]);
    await shown(gallery, made.token);
    gallery.travel(86_401);
    await shown(gallery, made.token);
    const again = assertWritten(await change(made, { expires: 2 }));
    assert.deepEqual(again, await listed(olga, made.id));
    gallery.travel(2 * 86_400 + 1);
    await assertGone(gallery, made.token);
    assertWritten(await change(made, { expires: 1 }));
    await shown(gallery, made.token);
  });

  test('finds none that is revoked meanwhile', async () => {
    for (let round = 0; round < 20; round++) {
      const made = await sharePrivate(olga);
      const [changed, revoked] = await Promise.all([
        change(made, { max_views: 7 }),
        olga.delete(`/api/shares/${made.id}`),
      ]);
      assert.equal(revoked.status, 200);
      if (changed.status !== 200) assertRefused(changed, 404, 20007);
    }
    assert.deepEqual(gallery.complaints(), []);
  });

  test('ends with another password what the old one opened', async () => {
    const made = await sharePrivate(olga, { password: 'blue heron' });
    const access = await unlock(gallery, made.token, 'blue heron');
    await shown(gallery, made.token, access);
    assertWritten(await change(made, { password: 'grey heron' }));
    assertRefused(await open(gallery, made.token, access), 403, 20008);
    await shown(gallery, made.token, await unlock(gallery, made.token, 'grey heron'));
  });

  test('ends with another password the paths of images that were given for the old one', async () => {
    const album = await addAlbum(olga, 'Birds');
    const { id } = await addPhoto(olga, { ...privateFields, album_id: String(album) });
    const visitor = asVisitor(gallery);
    const listPaths = ({ path, preview, thumb, image }: Record<string, string>) =>
      [path, preview, thumb, image?.replace('{width}', '320')] as string[];
    async function paths(token: string, access?: string): Promise<string[]> {
      const { photo, photos } = await shown(gallery, token, access);
      return listPaths(photo ?? photos.list[0]);
    }
    async function assertAll(given: string[], status: number): Promise<void> {
      for (const path of given) assert.equal((await visitor.get(path)).status, status, path);
    }

    const { body } = await olga.post(`/api/albums/${album}/share`, { type: 'link' });
    const ofAlbum = { ...body.data, token: body.data.url.split('/').at(-1) } as CreatedShare;
    for (const made of [await share(olga, id), ofAlbum]) {
      const open = await paths(made.token);
      await assertAll(open, 200);
      assertWritten(await change(made, { password: 'blue heron' }));
      await assertAll(open, 403);
      const first = await paths(made.token, await unlock(gallery, made.token, 'blue heron'));
      await assertAll(first, 200);
      assertWritten(await change(made, { allow_download: true, max_views: 9, expires: 3 }));
      await assertAll(first, 200);
      assertWritten(await change(made, { password: 'grey heron' }));
      await assertAll(first, 403);
      const second = await paths(made.token, await unlock(gallery, made.token, 'grey heron'));
      await assertAll(second, 200);
      // The signature does not match if the path has no share mark or the mark of another share.
      for (const mark of ['', '-AAAAAAAA']) {
        await assertAll(
          second.map((path) => path.replace(/(g=s\d+)-[\w-]{8}/, `$1${mark}`)),
          403,
        );
      }
      assertWritten(await change(made, { password: null }));
      await assertAll(second, 403);
      await assertAll(await paths(made.token), 200);
    }
  });

  test('is for who made it, and not for admins', async () => {
    const made = await sharePrivate(olga);
    assertRefused(await change(made, { max_views: 1 }, sven), 403, 403);
    assertRefused(await change({ ...made, id: 999_999 }, { max_views: 1 }), 404, 20007);
    const bad = { expires: 0, password: '', allow_download: 1, max_views: 0 };
    assertRefused(await change(made, bad), 400, 400, ['expires', 'password', 'allow_download', 'max_views']);
    assert.equal((await listed(olga, made.id)).max_views, null);
    const admin = await registerAdmin(gallery, 'admin');
    assertRefused(await change(made, { max_views: 5 }, admin), 403, 403);
  });
});

suite('a share without downloads', () => {
  test('shows the preview, and gives nothing larger by any path', async () => {
    const photo = await addPhoto(olga, privateFields, await createJpegWithExif());
    const made = await share(olga, photo.id);
    const before = await shown(gallery, made.token);
    assert.equal(before.allow_download, true);
    assert.equal((await asVisitor(gallery).get(before.photo.path)).status, 200);
    const file = await download(gallery, made.token);
    assert.equal(file.status, 200);
    assert.match(file.headers.get('content-disposition')!, /^attachment/);
    assert.ok(!file.bytes.includes('SERIAL-12345') && !file.bytes.includes('SECRET-COPYRIGHT'));

    assertWritten(await change(made, { allow_download: false }));
    const { photo: now, allow_download } = await shown(gallery, made.token);
    assert.equal(allow_download, false);
    assert.equal(now.path, now.preview);
    assert.equal((await asVisitor(gallery).get(now.preview)).status, 200);
    assertRefused(await asVisitor(gallery).get(before.photo.path), 403, 20004);
    assertRefused(await download(gallery, made.token), 403, 403);
    const html = (await loadSharePage(gallery, made.token)).bytes.toString();
    assert.doesNotMatch(html, /download|\.original\./i);
  });

  test('holds for albums', async () => {
    const album = await addAlbum(olga, 'Alps', { isPublic: false });
    await addSharedPhoto(olga, { album_id: String(album) });
    const answer = await olga.post(`/api/albums/${album}/share`, { type: 'link', allow_download: false });
    const token = assertWritten(answer).url.split('/').at(-1);
    const { photos } = await shown(gallery, token);
    assert.equal(photos.list[0].path, photos.list[0].preview);
    assertRefused(await download(gallery, token), 403, 403);
    assert.doesNotMatch((await loadSharePage(gallery, token)).bytes.toString(), /download|ZIP/);
  });
});

testRights([
  {
    endpoint: 'PUT /api/shares/{id}',
    codes: [401, 403, 0, 10006, 403],
    ask: (who, { share }) => who.put(`/api/shares/${share.id}`, { max_views: 5 }),
  },
]);
