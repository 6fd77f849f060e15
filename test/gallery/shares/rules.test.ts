/** What a link allows, and changing it: its end, its password, downloads, how often it may be opened. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { testRights } from '../../contract/steps/rights-walk.ts';
import { assertRead, assertRefused, assertWritten } from '../../support/answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addAlbum, addPhoto, anonymous, type Person, register, registerAdmin } from '../../support/people.ts';
import { jpegWithExif } from '../../support/pictures.ts';
import { form, isPrivate, listed, type Made, open, photoOf, share, unlock } from './steps.ts';

let gallery: Gallery;
let olga: Person;
let sven: Person;

before(async () => {
  gallery = await startGallery();
  olga = await register(gallery, 'olga');
  sven = await register(gallery, 'sven');
});
after(() => gallery?.close());

const change = (made: Made, body: object, who = olga) => who.put(`/api/shares/${made.id}`, body);
const shared = async (token: string, access?: string) => assertRead(await open(gallery, token, access));
const gone = async (token: string, access?: string) =>
  assertRefused(await open(gallery, token, access), 404, 20007);
const download = (token: string, access?: string) =>
  anonymous(gallery).get(`/api/shares/${token}/download${access ? `?access=${access}` : ''}`);
const page = (token: string, headers = {}) => anonymous(gallery).get(`/s/${token}`, headers);

async function privateShare(more: object = {}): Promise<Made> {
  return share(olga, await photoOf(olga, isPrivate), more);
}

suite('changing a share', () => {
  test('changes what is given, and answers the share', async () => {
    const made = await privateShare({ expires: 1, password: 'blue heron' });
    const before = await listed(olga, made.id);
    assert.deepEqual([before.has_password, before.allow_download, before.max_views], [true, true, null]);
    assert.deepEqual([before.views, before.downloads, before.last_view_time], [0, 0, '']);
    assert.deepEqual(assertWritten(await change(made, {})), before);

    const open = assertWritten(await change(made, { password: null, expires: null }));
    assert.deepEqual([open.has_password, open.expire_time, open.url], [false, '', made.url]);
    await shared(made.token);
    gallery.travel(86_401);
    await shared(made.token);
    const again = assertWritten(await change(made, { expires: 2 }));
    assert.deepEqual(again, await listed(olga, made.id));
    gallery.travel(2 * 86_400 + 1);
    await gone(made.token);
    assertWritten(await change(made, { expires: 1 }));
    await shared(made.token);
  });

  test('finds none that is revoked meanwhile', async () => {
    for (let round = 0; round < 20; round++) {
      const made = await privateShare();
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
    const made = await privateShare({ password: 'blue heron' });
    const access = await unlock(gallery, made.token, 'blue heron');
    await shared(made.token, access);
    assertWritten(await change(made, { password: 'grey heron' }));
    assertRefused(await open(gallery, made.token, access), 403, 20008);
    await shared(made.token, await unlock(gallery, made.token, 'grey heron'));
  });

  test('ends with another password the paths of images that were given for the old one', async () => {
    const album = await addAlbum(gallery, olga, 'Birds');
    const { id } = await addPhoto(olga, { ...isPrivate, album_id: String(album) });
    const visitor = anonymous(gallery);
    const pathsOf = ({ path, preview, thumb, image }: Record<string, string>) =>
      [path, preview, thumb, image?.replace('{width}', '320')] as string[];
    async function paths(token: string, access?: string): Promise<string[]> {
      const { photo, photos } = await shared(token, access);
      return pathsOf(photo ?? photos.list[0]);
    }
    async function assertAll(given: string[], status: number): Promise<void> {
      for (const path of given) assert.equal((await visitor.get(path)).status, status, path);
    }

    const { body } = await olga.post(`/api/albums/${album}/share`, { type: 'link' });
    const ofAlbum = { ...body.data, token: body.data.url.split('/').at(-1) } as Made;
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
      // With another share's mark, or none, the signature is not that of the path.
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

  test('is for who made it, and for admins', async () => {
    const made = await privateShare();
    assertRefused(await change(made, { max_views: 1 }, sven), 403, 403);
    assertRefused(await change({ ...made, id: 999_999 }, { max_views: 1 }), 404, 20007);
    const bad = { expires: 0, password: '', allow_download: 1, max_views: 0 };
    assertRefused(await change(made, bad), 400, 400, ['expires', 'password', 'allow_download', 'max_views']);
    assert.equal((await listed(olga, made.id)).max_views, null);
    const admin = await registerAdmin(gallery, 'admin');
    assert.equal(assertWritten(await change(made, { max_views: 5 }, admin)).max_views, 5);
    const { list } = assertRead(await admin.get('/api/admin/logs?action=share.update'));
    assert.equal(list[0].action, 'share.update');
  });
});

suite('a share without downloads', () => {
  test('shows the preview, and gives nothing larger by any path', async () => {
    const photo = await addPhoto(olga, isPrivate, await jpegWithExif());
    const made = await share(olga, photo.id);
    const before = await shared(made.token);
    assert.equal(before.allow_download, true);
    assert.equal((await anonymous(gallery).get(before.photo.path)).status, 200);
    const file = await download(made.token);
    assert.equal(file.status, 200);
    assert.match(file.headers.get('content-disposition')!, /^attachment/);
    assert.ok(!file.bytes.includes('SERIAL-12345') && !file.bytes.includes('SECRET-COPYRIGHT'));

    assertWritten(await change(made, { allow_download: false }));
    const { photo: now, allow_download } = await shared(made.token);
    assert.equal(allow_download, false);
    assert.equal(now.path, now.preview);
    assert.equal((await anonymous(gallery).get(now.preview)).status, 200);
    assertRefused(await anonymous(gallery).get(before.photo.path), 403, 20004);
    assertRefused(await download(made.token), 403, 403);
    const html = (await page(made.token)).bytes.toString();
    assert.doesNotMatch(html, /download|\.original\./i);
  });

  test('holds for albums', async () => {
    const album = await addAlbum(gallery, olga, 'Alps', 0);
    await photoOf(olga, { album_id: String(album) });
    const answer = await olga.post(`/api/albums/${album}/share`, { type: 'link', allow_download: false });
    const token = assertWritten(answer).url.split('/').at(-1);
    const { photos } = await shared(token);
    assert.equal(photos.list[0].path, photos.list[0].preview);
    assertRefused(await download(token), 403, 403);
    assert.doesNotMatch((await page(token)).bytes.toString(), /download|ZIP/);
  });
});

suite('a share that may be opened so often', () => {
  test('opens as often, and goes on for an hour for who opened it', async () => {
    const made = await privateShare({ max_views: 2 });
    const { access, photo } = await shared(made.token);
    assert.match(access, /^\d+\./);
    // With what the first one got, nothing is counted.
    for (let n = 0; n < 3; n++) await shared(made.token, access);
    assert.equal((await listed(olga, made.id)).views, 1);
    await shared(made.token);
    await gone(made.token);
    assertRefused(await download(made.token), 404, 20007);
    await shared(made.token, access);
    assert.equal((await download(made.token, access)).status, 200);
    assert.equal((await anonymous(gallery).get(photo.preview)).status, 200);
    const row = await listed(olga, made.id);
    assert.deepEqual([row.views, row.downloads], [2, 1]);
    assert.match(row.last_view_time, /^\d{4}-/);
    gallery.travel(3601);
    await gone(made.token, access);
    assertWritten(await change(made, { max_views: 3 }));
    await shared(made.token);
    await gone(made.token);
    assertWritten(await change(made, { max_views: null }));
    assert.equal((await shared(made.token)).access, undefined);
  });

  test('opens as often when many come at once', async () => {
    const { token, id } = await privateShare({ max_views: 3 });
    const answers = await Promise.all(Array.from({ length: 20 }, () => open(gallery, token)));
    assert.equal(answers.filter(({ status }) => status === 200).length, 3);
    assert.equal(answers.filter(({ status }) => status === 404).length, 17);
    assert.equal((await listed(olga, id)).views, 3);
  });

  test('is not used up by a wrong password, by HEAD, or by what looks at its page', async () => {
    const made = await privateShare({ max_views: 1, password: 'blue heron' });
    assertRefused(await open(gallery, made.token), 403, 20008);
    assertRefused(
      await anonymous(gallery).post(`/api/shares/${made.token}/unlock`, { password: 'x' }),
      403,
      20008,
    );
    await page(made.token);
    const plain = await privateShare({ max_views: 1 });
    await anonymous(gallery).send('HEAD', `/api/shares/${plain.token}`);
    const closed = await page(plain.token);
    assert.equal(closed.status, 200);
    assert.match(closed.bytes.toString(), /opened once more/);
    assert.doesNotMatch(closed.bytes.toString(), /Harbour|og:image|\/storage\//);
    assert.deepEqual([(await listed(olga, plain.id)).views, (await listed(olga, made.id)).views], [0, 0]);

    const access = await unlock(gallery, made.token, 'blue heron');
    await shared(made.token, access);
    assertRefused(
      await anonymous(gallery).post(`/api/shares/${made.token}/unlock`, { password: 'blue heron' }),
      404,
      20007,
    );
    assert.equal((await page(made.token)).status, 404);
  });

  test('is not used up by a download that the browser has already; the rest of a broken one counts', async () => {
    const { token, id } = await privateShare({ max_views: 1 });
    const path = `/api/shares/${token}/download`;
    const etag = (await anonymous(gallery).send('HEAD', path)).headers.get('etag')!;
    const ask = (headers: Record<string, string>) => anonymous(gallery).send('GET', path, { headers });
    assert.equal((await ask({ 'if-none-match': etag })).status, 304);
    assertRefused(await ask({ range: 'bytes=99999999-' }), 416, 416);
    assert.equal((await listed(olga, id)).views, 0);
    assert.equal((await ask({ range: 'bytes=1-' })).status, 206);
    assert.equal((await listed(olga, id)).views, 1);
    assertRefused(await ask({ 'if-none-match': etag }), 404, 20007);
  });

  test('opens its page by a button, and stays open in that browser', async () => {
    const made = await privateShare({ max_views: 1 });
    const opened = await anonymous(gallery).send('POST', `/s/${made.token}`, {
      body: 'password=none',
      headers: form,
    });
    assert.equal(opened.status, 303);
    const cookie = { cookie: opened.headers.get('set-cookie')!.split(';')[0]! };
    for (let n = 0; n < 2; n++) {
      const html = (await page(made.token, cookie)).bytes.toString();
      assert.match(html, /Harbour/);
      const [, path] = /href="\.\.(\/api\/shares\/[^"]+\/download\?[^"]+)"/.exec(html)!;
      assert.equal((await anonymous(gallery).get(path!.replaceAll('&amp;', '&'))).status, 200);
    }
    assert.equal((await page(made.token)).status, 404);
    const again = await anonymous(gallery).send('POST', `/s/${made.token}`, {
      body: 'password=none',
      headers: form,
    });
    assert.equal(again.status, 404);
    assert.equal((await listed(olga, made.id)).views, 1);
  });
});

testRights([
  {
    endpoint: 'PUT /api/shares/{id}',
    codes: [401, 403, 0, 10006, 0],
    ask: (who, { share }) => who.put(`/api/shares/${share.id}`, { max_views: 5 }),
  },
]);
