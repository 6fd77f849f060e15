/** Tests the ZIP of a shared album. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addAlbum, addPhoto, asVisitor, type Person, register } from '../../support/people.ts';
import { createJpegWithExif, createNoise } from '../../support/pictures.ts';
import { unzip } from '../../support/zip.ts';

describe("a shared album's ZIP", () => {
  let gallery: Gallery;
  let owner: Person;
  let album: number;
  let large: number | undefined;

  before(async () => {
    gallery = await startGallery();
    owner = await register(gallery, 'owner');
    album = await addAlbum(owner, 'Trip', { isPublic: false });
    const inner = await addAlbum(owner, 'Inner', { parentId: album });
    const file = await createJpegWithExif();
    await addPhoto(owner, { title: 'Open', album_id: String(album) }, file);
    await addPhoto(owner, { title: 'Private', album_id: String(album), is_public: '0' }, file);
    await addPhoto(owner, { title: 'Below', album_id: String(inner) }, file);
    const { id } = await addPhoto(owner, { title: 'Trashed', album_id: String(album) }, file);
    await owner.delete(`/api/photos/${id}`);
  });
  after(() => gallery.close());

  async function share(fields: object = {}): Promise<{ id: number; token: string }> {
    const { body } = await owner.post(`/api/albums/${album}/share`, { type: 'link', ...fields });
    return { id: body.data.id, token: body.data.url.split('/').at(-1) };
  }

  const download = (token: string, query = '') =>
    asVisitor(gallery).get(`/api/shares/${token}/download${query}`);

  test('has the photos that the link shows, private ones too, and none of their metadata', async () => {
    const { token } = await share();
    for (const who of [asVisitor(gallery), owner]) {
      const answer = await who.get(`/api/shares/${token}/download`);
      assert.equal(answer.headers.get('content-type'), 'application/zip');
      const { files } = await unzip(answer.bytes);
      assert.deepEqual([...files.keys()], ['Open.jpg', 'Private.jpg', 'Inner/', 'Inner/Below.jpg']);
      for (const content of files.values()) assert.ok(!content.includes('SERIAL-12345'));
    }
  });

  test('asks for the password, in the API and on the page', async () => {
    const { token } = await share({ password: 'blue heron' });
    assertRefused(await download(token), 403, 20008);
    assertRefused(await download(token, '?access=1.x'), 403, 20008);
    const unlocked = await asVisitor(gallery).post(`/api/shares/${token}/unlock`, {
      password: 'blue heron',
    });
    const { access } = assertWritten(unlocked);
    assert.equal((await unzip((await download(token, `?access=${access}`)).bytes)).files.size, 4);

    const other = await share();
    assert.equal((await download(other.token, `?access=${access}`)).status, 200, 'needs none');
    const page = await asVisitor(gallery).get(`/s/${token}`, { cookie: `access=${access}` });
    const link = /href="([^"]*download[^"]*)"/.exec(page.bytes.toString())![1]!;
    const { pathname, search } = new URL(link, `${gallery.url}/s/${token}`);
    assert.equal((await unzip((await asVisitor(gallery).get(pathname + search)).bytes)).files.size, 4);
    assert.ok(
      !(await asVisitor(gallery).get(`/s/${token}`)).bytes.includes('download'),
      'before the password',
    );
  });

  test('is the photo itself where one is shared, and nothing once the link is revoked or has expired', async () => {
    const { id } = await addPhoto(owner);
    const { body } = await owner.post(`/api/photos/${id}/share`, { type: 'link' });
    const file = await download(body.data.url.split('/').at(-1));
    assert.deepEqual([file.status, file.headers.get('content-type')], [200, 'image/jpeg']);
    assertRefused(await download('unknown'), 404, 20007);
    const revoked = await share();
    await owner.delete(`/api/shares/${revoked.id}`);
    assertRefused(await download(revoked.token), 404, 20007);
    const expiring = await share({ expires: 1 });
    assert.equal((await download(expiring.token)).status, 200);
    gallery.travel(86_401);
    assertRefused(await download(expiring.token), 404, 20007);
  });

  for (const [what, change] of [
    ['the link is revoked', (id: number) => owner.delete(`/api/shares/${id}`)],
    ['its password becomes another', (id: number) => owner.put(`/api/shares/${id}`, { password: 'egret' })],
    ['it may not be downloaded', (id: number) => owner.put(`/api/shares/${id}`, { allow_download: false })],
  ] as const) {
    test(`breaks off when ${what} meanwhile`, async () => {
      large ??= await largeOnes(6);
      const made = await owner.post(`/api/albums/${large}/share`, { type: 'link' });
      const { id, url } = made.body.data;
      const path = `/api/shares/${url.split('/').at(-1)}/download`;
      const [answer] = (await once(get(gallery.url + path, { agent: false }), 'response')) as [
        IncomingMessage,
      ];
      await once(answer, 'readable');
      await gallery.deps.db.counters.flush();
      const { list } = (await owner.get('/api/shares')).body.data;
      const { downloads } = list.find((one: { id: number }) => one.id === id);
      assert.equal(downloads, 1, 'counted when it begins');
      assert.equal((await change(id)).status, 200);
      await assert.rejects(buffer(answer), { code: 'ECONNRESET' });
    });
  }

  test('counts nothing and leaves the view when it is refused because others are sent', async () => {
    const { id, token } = await share({ max_views: 1 });
    const { archivesPerAddress } = gallery.shared;
    const leave = Array.from({ length: 6 }, () => archivesPerAddress.acquire('127.0.0.1'));
    assertRefused(await download(token), 503, 503);
    for (const go of leave) go();
    assert.match(gallery.complaints().splice(0).join(), /too many archives/i);
    const listed = async () => {
      await gallery.deps.db.counters.flush();
      const { list } = (await owner.get('/api/shares')).body.data;
      const { views, downloads, last_view_time } = list.find((one: { id: number }) => one.id === id);
      return { views, downloads, isViewed: last_view_time !== '' };
    };
    assert.deepEqual(await listed(), { views: 0, downloads: 0, isViewed: false });
    assert.equal((await download(token)).status, 200);
    assert.deepEqual(await listed(), { views: 1, downloads: 1, isViewed: true });
    assertRefused(await download(token), 404, 20007);
  });

  /** Adds photos whose clean copies are as large as their originals. */
  async function largeOnes(count: number): Promise<number> {
    const file = await createNoise();
    const album = await addAlbum(owner, 'Noise');
    for (let n = 0; n < count; n++) await addPhoto(owner, { album_id: String(album) }, file);
    return album;
  }

  test('the server logged no error during these tests', () => assert.deepEqual(gallery.complaints(), []));
});
