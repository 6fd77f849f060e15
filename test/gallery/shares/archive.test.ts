/** The ZIP behind an album's link. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import sharp from 'sharp';
import { assertRefused, assertWritten } from '../../support/answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addAlbum, addPhoto, anonymous, type Person, register } from '../../support/people.ts';
import { jpegWithExif } from '../../support/pictures.ts';
import { unzip } from '../../support/zip.ts';

describe("a shared album's ZIP", () => {
  let gallery: Gallery;
  let owner: Person;
  let album: number;

  before(async () => {
    gallery = await startGallery();
    owner = await register(gallery, 'owner');
    album = await addAlbum(gallery, owner, 'Trip', 0);
    const inner = await addAlbum(gallery, owner, 'Inner', 1, album);
    const file = await jpegWithExif();
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
    anonymous(gallery).get(`/api/shares/${token}/download${query}`);

  test('has the photos that the link shows, private ones too, and none of their metadata', async () => {
    const { token } = await share();
    for (const who of [anonymous(gallery), owner]) {
      const answer = await who.get(`/api/shares/${token}/download`);
      assert.equal(answer.headers.get('content-type'), 'application/zip');
      const { files } = await unzip(answer.bytes);
      assert.deepEqual([...files.keys()], ['Open.jpg', 'Private.jpg']);
      for (const content of files.values()) assert.ok(!content.includes('SERIAL-12345'));
    }
  });

  test('asks for the password, in the API and on the page', async () => {
    const { token } = await share({ password: 'blue heron' });
    assertRefused(await download(token), 403, 20008);
    assertRefused(await download(token, '?access=1.x'), 403, 20008);
    const unlocked = await anonymous(gallery).post(`/api/shares/${token}/unlock`, { password: 'blue heron' });
    const { access } = assertWritten(unlocked);
    assert.equal((await unzip((await download(token, `?access=${access}`)).bytes)).files.size, 2);

    const other = await share();
    assert.equal((await download(other.token, `?access=${access}`)).status, 200, 'needs none');
    const page = await anonymous(gallery).get(`/s/${token}`, { cookie: `access=${access}` });
    const link = /href="([^"]*download[^"]*)"/.exec(page.bytes.toString())![1]!;
    const { pathname, search } = new URL(link, `${gallery.url}/s/${token}`);
    assert.equal((await unzip((await anonymous(gallery).get(pathname + search)).bytes)).files.size, 2);
    assert.ok(
      !(await anonymous(gallery).get(`/s/${token}`)).bytes.includes('download'),
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

  test('breaks off when the link is revoked meanwhile', async () => {
    const noise = await largeOnes(6);
    const made = await owner.post(`/api/albums/${noise}/share`, { type: 'link' });
    const { id, url } = made.body.data;
    const path = `/api/shares/${url.split('/').at(-1)}/download`;
    const [answer] = (await once(get(gallery.url + path, { agent: false }), 'response')) as [IncomingMessage];
    await once(answer, 'readable');
    await owner.delete(`/api/shares/${id}`);
    await assert.rejects(buffer(answer), { code: 'ECONNRESET' });
  });

  /** Pictures whose pixels are their size: the copies for others hold nothing else. */
  async function largeOnes(count: number): Promise<number> {
    const [width, height] = [1400, 1000];
    const raw = { width, height, channels: 3 } as const;
    const file = await sharp(randomBytes(width * height * 3), { raw })
      .png({ compressionLevel: 0 })
      .toBuffer();
    const large = await addAlbum(gallery, owner, 'Noise');
    for (let n = 0; n < count; n++) await addPhoto(owner, { album_id: String(large) }, file);
    return large;
  }

  test('nothing of all this went wrong on the server', () => assert.deepEqual(gallery.complaints(), []));
});
