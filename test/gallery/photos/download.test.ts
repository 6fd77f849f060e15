import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import ExifReader from 'exifreader';
import sharp from 'sharp';
import { assertDone, assertRead, assertRefused } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { type Answer, asVisitor, type Person, register, registerAdmin } from '../../support/people.ts';
import { createAnimation, createJpeg, createJpegWithExif, createLandmarks } from '../../support/pictures.ts';
import { unzip } from '../../support/zip.ts';

describe('a download', () => {
  let gallery: Gallery;
  let owner: Person;
  let stranger: Person;
  let admin: Person;

  before(async () => {
    gallery = await startGallery();
    owner = await register(gallery, 'owner');
    stranger = await register(gallery, 'stranger');
    admin = await registerAdmin(gallery, 'admin');
  });
  after(() => gallery.close());

  const download = (who: Person, id: number, headers = {}) => who.get(`/api/photos/${id}/download`, headers);
  async function readDownloads(id: number): Promise<number> {
    await gallery.deps.db.counters.flush();
    return assertRead(await owner.get(`/api/photos/${id}`)).downloads;
  }

  const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

  async function upload(file: Buffer, name: string, fields: Record<string, string> = {}): Promise<number> {
    const { status, body } = await owner.upload(file, { title: 'A title', ...fields }, name);
    assert.equal(status, 200, JSON.stringify(body));
    return body.data.id;
  }

  function assertFile(answer: Answer, type: string): void {
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('content-type'), type);
    assert.equal(answer.headers.get('content-length'), String(answer.bytes.length));
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
    assert.match(answer.headers.get('content-security-policy') ?? '', /default-src 'none'.*sandbox/);
    assert.match(answer.headers.get('content-disposition') ?? '', /^attachment; filename/);
    assert.match(answer.headers.get('cache-control') ?? '', /private.*no-store/);
  }

  test('a download gives the owner exactly the uploaded bytes', async () => {
    const files: [Buffer, string, string][] = [
      [await createJpegWithExif(), 'a.jpg', 'image/jpeg'],
      [Buffer.concat([await createJpeg(), Buffer.from('trailing bytes')]), 'b.jpg', 'image/jpeg'],
      [await createLandmarks(), 'c.png', 'image/png'],
      [await createAnimation(), 'd.gif', 'image/gif'],
      [
        await sharp(await createLandmarks())
          .tiff()
          .toBuffer(),
        'e.tif',
        'image/tiff',
      ],
      [
        await sharp(await createLandmarks())
          .avif()
          .toBuffer(),
        'f.avif',
        'image/avif',
      ],
    ];
    for (const [file, name, type] of files) {
      const id = await upload(file, name);
      const answer = await download(owner, id);
      assertFile(answer, type);
      assert.equal(sha256(answer.bytes), sha256(file), name);
      const other = await download(stranger, id);
      assert.equal(other.status, 200);
      const [mine, theirs] = [await sharp(file).metadata(), await sharp(other.bytes).metadata()];
      assert.deepEqual(
        [theirs.width, theirs.height, theirs.pages ?? 1],
        [mine.width, mine.height, mine.pages ?? 1],
        name,
      );
    }
  });

  test('a download gives others the same pixels without location, serial number and author', async () => {
    const file = await createJpegWithExif();
    const before = ExifReader.load(file);
    assert.ok(before.GPSLatitude && before.BodySerialNumber, 'the picture says where it was taken');
    const id = await upload(file, 'trip.jpg');
    for (const who of [stranger, admin]) {
      const answer = await download(who, id);
      assertFile(answer, 'image/jpeg');
      for (const secret of ['SERIAL-12345', 'SECRET-COPYRIGHT', 'Canon'])
        assert.ok(!answer.bytes.includes(secret));
      const names = Object.keys(ExifReader.load(answer.bytes)).join(' ');
      assert.doesNotMatch(names, /GPS|Serial|Copyright|DateTime|Artist/);
      const pixels = (bytes: Buffer) => sharp(bytes).raw().toBuffer();
      assert.deepEqual(await pixels(answer.bytes), await pixels(file));
    }
  });

  test('a download for others is named by the whole title, including slashes', async () => {
    const id = await upload(await createJpegWithExif(), 'mine.jpg');
    for (const [title, name] of [
      ['Christmas 24/12', 'Christmas 24_12.jpg'],
      ['AC\\DC live.jpg', 'AC_DC live.jpg'],
      ['CON', '_CON.jpg'],
    ]) {
      assertDone(await owner.put(`/api/photos/${id}`, { title }));
      const { headers } = await download(stranger, id);
      assert.equal(nameIn(headers.get('content-disposition')!), name);
    }
  });

  test('a download keeps the orientation of a picture for everyone', async () => {
    const file = await sharp(await createLandmarks(300, 200))
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const id = await upload(file, 'turned.jpg');
    const upright = (bytes: Buffer) => sharp(bytes).autoOrient().raw().toBuffer({ resolveWithObject: true });
    const expected = await upright(file);
    const { data, info } = await upright((await download(stranger, id)).bytes);
    assert.deepEqual([info.width, info.height], [200, 300]);
    assert.deepEqual(data, expected.data);
  });

  test('a download sends the edited image of an edited photo', async () => {
    const id = await upload(await createJpegWithExif(), 'edited.jpg');
    await owner.post(`/api/photos/${id}/edit`, {
      action: 'crop',
      params: { x: 0, y: 0, width: 100, height: 50 },
    });
    const { path, size } = assertRead(await owner.get(`/api/photos/${id}`));
    const shown = await asVisitor(gallery).get(path);
    for (const who of [owner, stranger]) {
      const answer = await download(who, id);
      assertFile(answer, 'image/jpeg');
      assert.equal(sha256(answer.bytes), sha256(shown.bytes));
      assert.equal(answer.bytes.length, size);
      assert.ok(!answer.bytes.includes('SERIAL-12345'));
    }
  });

  test('refuses a download to users who cannot see the photo', async () => {
    const id = await upload(await createJpeg(), 'private.jpg', { is_public: '0' });
    assertRefused(await download(stranger, id), 403, 20004);
    assertRefused(await download(asVisitor(gallery), id), 401, 401);
    assertRefused(await download(owner, 999_999), 404, 20003);
    for (const who of [owner, admin]) assertFile(await download(who, id), 'image/jpeg');
    assert.equal(await readDownloads(id), 2);
    const shown = await upload(await createJpeg(), 'public.jpg');
    assertRefused(await download(asVisitor(gallery), shown), 401, 401);
  });

  test('a download is named by RFC 6266 after the file or the title, in any script', async () => {
    const picture = await createJpeg();
    const cases: [string, string, string][] = [
      ['holiday.jpg', 'attachment; filename="holiday.jpg"', 'holiday.jpg'],
      ['Two words.JPEG', 'attachment; filename="Two words.jpg"', 'Two words.jpg'],
      ['photo.php', 'attachment; filename="photo.jpg"', 'photo.jpg'],
      ['../../etc/passwd', 'attachment; filename="passwd.jpg"', 'passwd.jpg'],
    ];
    for (const [name, header, file] of cases) {
      const disposition = (await download(owner, await upload(picture, name))).headers.get(
        'content-disposition',
      );
      assert.equal(disposition?.replace(/filename=([^"]+)$/, 'filename="$1"'), header);
      assert.equal(nameIn(disposition!), file);
    }
    for (const [name, file] of [
      ['山水.jpg', '山水.jpg'],
      ['Ünïcode “quotes”.jpg', 'Ünïcode “quotes”.jpg'],
      ['naïve; filename=evil.exe.jpg', 'naïve; filename=evil.exe.jpg'],
      ['📷.jpg', '📷.jpg'],
      ['a\r\nX-Injected: 1.jpg', undefined],
      ['x'.repeat(1000), undefined],
    ] as const) {
      const { headers } = await download(owner, await upload(picture, name));
      const disposition = headers.get('content-disposition')!;
      assert.match(disposition, /^attachment; filename/);
      assert.equal(headers.get('x-injected'), null);
      assert.ok(disposition.length < 2000);
      if (file) assert.equal(nameIn(disposition), file);
    }
    const nameless = await upload(picture, '.jpg', { title: 'Title as name' });
    assert.match(nameIn((await download(owner, nameless)).headers.get('content-disposition')!), /\.jpg$/);
  });

  test('a download for others is named by the title, never by the uploaded file', async () => {
    const picture = await createJpeg();
    const secret = 'Passport John Doe 1980-01-02';
    const names = async (title: string) => {
      const id = await upload(picture, `${secret}.jpg`, { title });
      const nameFor = async (who: Person) =>
        nameIn((await download(who, id)).headers.get('content-disposition')!);
      assert.equal(await nameFor(owner), `${secret}.jpg`);
      assert.equal(await nameFor(admin), await nameFor(stranger));
      const { url } = (await owner.post(`/api/photos/${id}/share`, { type: 'link' })).body.data;
      const page = (await asVisitor(gallery).get(new URL(url).pathname)).bytes.toString();
      assert.ok(!page.includes('Passport'), 'the page of a share');
      const link = new URL(/href="([^"]+)" download>/.exec(page)![1]!, url).pathname;
      const shared = nameIn((await asVisitor(gallery).get(link)).headers.get('content-disposition')!);
      return { id, name: await nameFor(stranger), shared };
    };
    const titled = await names('Public title');
    assert.equal(titled.name, 'Public title.jpg');
    assert.equal(titled.shared, 'Public title.jpg');
    assert.equal((await names('IMG_1.JPG')).name, 'IMG_1.jpg');
    assert.equal((await names('Version 1.25')).name, 'Version 1.25.jpg');
    const nameless = await names(' ');
    assert.equal(nameless.name, `photo-${nameless.id}.jpg`);

    const album = (await owner.post('/api/albums', { name: 'Trip' })).body.data.id;
    const { body } = await owner.upload(picture, { album_id: String(album) }, `${secret}.jpg`);
    const { url } = (await owner.post(`/api/albums/${album}/share`, { type: 'link' })).body.data;
    const token = url.split('/').at(-1);
    const anybody = asVisitor(gallery);
    for (const [who, path, name] of [
      [owner, `/api/albums/${album}/download`, `${secret}.jpg`],
      [stranger, `/api/albums/${album}/download`, `photo-${body.data.id}.jpg`],
      [anybody, `/api/albums/${album}/download`, `photo-${body.data.id}.jpg`],
      [anybody, `/api/shares/${token}/download`, `photo-${body.data.id}.jpg`],
    ] as const) {
      const { files } = await unzip((await who.get(path)).bytes);
      assert.deepEqual([...files.keys()], [name], path);
    }
  });

  test('answers 304 to a client that has the download, and does not count the request', async () => {
    const id = await upload(await createJpegWithExif(), 'kept.jpg');
    for (const who of [owner, stranger]) {
      const etag = (await download(who, id)).headers.get('etag')!;
      const before = await readDownloads(id);
      for (const match of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const answer = await download(who, id, { 'if-none-match': match });
        assert.deepEqual([answer.status, answer.bytes.length], [304, 0], match);
        assert.equal(answer.headers.get('etag'), etag);
        assert.match(answer.headers.get('vary') ?? '', /Authorization/);
      }
      assert.equal(await readDownloads(id), before);
      assert.equal((await download(who, id, { 'if-none-match': '"other"' })).status, 200);
      assert.equal(await readDownloads(id), before + 1);
    }
    const mine = (await download(owner, id)).headers.get('etag')!;
    assert.equal((await download(stranger, id, { 'if-none-match': mine })).status, 200, 'another file');
    await owner.put(`/api/photos/${id}`, { is_public: 0 });
    assertRefused(await download(stranger, id, { 'if-none-match': '*' }), 403, 20004);
  });

  test('a download can be resumed', async () => {
    const file = await createJpegWithExif();
    const id = await upload(file, 'ranges.jpg');
    for (const who of [owner, stranger]) {
      const whole = await download(who, id);
      const { length } = whole.bytes;
      assert.equal(whole.headers.get('accept-ranges'), 'bytes');
      for (const [range, from, to] of [
        ['bytes=0-99', 0, 100],
        ['bytes=100-', 100, length],
        ['bytes=-50', length - 50, length],
        [`bytes=${length - 10}-${length + 10}`, length - 10, length],
      ] as const) {
        const part = await download(who, id, { range });
        assert.equal(part.status, 206, range);
        assert.equal(part.headers.get('content-range'), `bytes ${from}-${to - 1}/${length}`);
        assert.deepEqual(part.bytes, whole.bytes.subarray(from, to));
      }
      const etag = whole.headers.get('etag')!;
      assert.equal((await download(who, id, { range: 'bytes=0-9', 'if-range': etag })).status, 206);
      assert.equal((await download(who, id, { range: 'bytes=0-9', 'if-range': '"other"' })).status, 200);
      const beyond = await download(who, id, { range: `bytes=${length}-` });
      assertRefused(beyond, 416, 416);
      assert.equal(beyond.headers.get('content-range'), `bytes */${length}`);
    }
    const downloads = await readDownloads(id);
    await download(owner, id, { range: 'bytes=0-99' });
    await download(owner, id, { range: 'bytes=100-' });
    assert.equal(await readDownloads(id), downloads + 1, 'in two parts, but one');

    const [mine, theirs] = [await download(owner, id), await download(stranger, id)];
    assert.notEqual(mine.headers.get('etag'), theirs.headers.get('etag'), 'two files, two tags');
  });

  test('the server logged no error during these tests', () => assert.deepEqual(gallery.complaints(), []));
});

/** Returns the file name that a browser would use: the extended name has priority. */
function nameIn(disposition: string): string {
  const extended = /filename\*=UTF-8''([^;]+)/.exec(disposition)?.[1];
  if (extended) return decodeURIComponent(extended);
  const plain = /filename=(?:"((?:[^"\\]|\\.)*)"|([^;]+))/.exec(disposition)!;
  return (plain[1] ?? plain[2]!).replace(/\\(.)/g, '$1');
}
