import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import sharp from 'sharp';
import { chargedBytes } from '../../../server/gallery/photos/upload/quota.ts';
import { Level } from '../../../server/platform/db/states.ts';
import { assertRead, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { countHoldings } from '../../support/gallery-counts.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { createClaimingPng } from '../../support/hostile-pictures.ts';
import { addAlbum, addPhoto, asVisitor, type Person, register } from '../../support/people.ts';
import {
  createAnimation,
  createJpeg,
  createJpegWithExif,
  createLandmarks,
  readPixel,
} from '../../support/pictures.ts';

describe('an upload', () => {
  let gallery: Gallery;
  let owner: Person;
  let stranger: Person;

  before(async () => {
    gallery = await startGallery({ maxUploadBytes: 1024 * 1024 });
    owner = await register(gallery, 'owner');
    stranger = await register(gallery, 'stranger');
  });
  after(() => gallery.close());

  const held = () => countHoldings(gallery.deps);
  const detail = async (id: number) => assertRead(await owner.get(`/api/photos/${id}`));

  test('an upload answers with the photo, whose picture, thumbnail and detail exist', async () => {
    const album = await addAlbum(owner, 'Alps');
    const file = await createJpeg({ width: 1800, height: 900 });
    const answer = await owner.upload(file, {
      title: 'Ridge <b>&</b>',
      description: 'A line of text 山',
      tags: 'Alps, snow ,ALPS,,山',
      album_id: String(album),
      is_public: '1',
    });
    const data = assertWritten(answer);
    assert.deepEqual(Object.keys(data), ['id', 'title', 'path', 'thumb', 'width', 'height', 'size']);
    const { id, path, thumb, ...rest } = data;
    assert.deepEqual(rest, { title: 'Ridge <b>&</b>', width: 1800, height: 900, size: file.length });
    assert.match(path, /^\/storage\/[0-9a-f]{32}\.original\.jpg$/);
    assert.match(thumb, /^\/storage\/[0-9a-f]{32}\.thumb\.webp$/);

    const small = await asVisitor(gallery).get(thumb);
    assert.equal(small.headers.get('content-type'), 'image/webp');
    const { width, height } = await sharp(small.bytes).metadata();
    assert.deepEqual([width, height], [400, 200]);
    const large = await sharp((await asVisitor(gallery).get(path)).bytes).metadata();
    assert.deepEqual([large.width, large.height], [1800, 900]);
    const photo = await detail(id);
    const preview = await sharp((await asVisitor(gallery).get(photo.preview)).bytes).metadata();
    assert.deepEqual([preview.width, preview.height], [1600, 800]);
    assert.equal(photo.description, 'A line of text 山');
    assert.deepEqual(photo.tags, ['Alps', 'snow', '山']);
    assert.deepEqual(photo.album, { id: album, name: 'Alps' });
    assert.equal(photo.is_public, 1);
  });

  test('an upload needs nothing but the file', async () => {
    const { id } = assertWritten(await owner.upload(await createJpeg()));
    const { description, tags, album, is_public } = await detail(id);
    assert.deepEqual(
      { description, tags, album, is_public },
      { description: '', tags: [], album: null, is_public: 1 },
    );
    const form = new FormData();
    form.append('title', 'after the file');
    form.append('file', new Blob([new Uint8Array(await createJpeg())]), 'first.jpg');
    form.append('is_public', '0');
    const late = assertWritten(await owner.send('POST', '/api/photos/upload', { body: form }));
    assert.deepEqual([late.title, (await detail(late.id)).is_public], ['after the file', 0]);
  });

  test('has the level that the form names, and otherwise the default of the gallery', async () => {
    const cautious = await startGallery({ defaultLevel: Level.members, registration: 'open' });
    try {
      const person = await register(cautious, 'cautious');
      for (const [fields, visibility, isPublic] of [
        [{}, 'members', 0],
        [{ visibility: '' }, 'members', 0],
        [{ visibility: 'public' }, 'public', 1],
        [{ is_public: '1' }, 'public', 1],
        [{ is_public: '0' }, 'private', 0],
        [{ visibility: 'members', is_public: '0' }, 'members', 0],
        [{ visibility: 'private', is_public: '0' }, 'private', 0],
      ] as [Record<string, string>, string, number][]) {
        const { id } = await addPhoto(person, fields);
        const photo = assertRead(await person.get(`/api/photos/${id}`));
        assert.deepEqual([photo.visibility, photo.is_public], [visibility, isPublic], JSON.stringify(fields));
      }
      const album = assertWritten(await person.post('/api/albums', { name: 'Club' }));
      assert.equal(assertRead(await person.get(`/api/albums/${album.id}`)).visibility, 'members');
    } finally {
      await cautious.close();
    }
  });

  test('tells the format from the bytes, never from the name or the type', async () => {
    const still = sharp(await createLandmarks(64, 48));
    const pictures: [Buffer, string, string][] = [
      [await still.jpeg().toBuffer(), 'jpg', 'image/jpeg'],
      [await still.png().toBuffer(), 'png', 'image/png'],
      [await still.webp().toBuffer(), 'webp', 'image/webp'],
      [await still.gif().toBuffer(), 'gif', 'image/gif'],
    ];
    for (const [picture, extension, type] of pictures) {
      const { path, width, height } = assertWritten(await owner.upload(picture, {}, 'script.php'));
      assert.deepEqual([width, height], [64, 48]);
      assert.ok(path.endsWith(`.original.${extension}`), path);
      const { headers } = await asVisitor(gallery).get(path);
      assert.equal(headers.get('content-type'), type);
    }
    for (const picture of [await still.tiff().toBuffer(), await still.avif().toBuffer()]) {
      const { path } = assertWritten(await owner.upload(picture, {}, 'x.jpg'));
      assert.match(
        path,
        /\.full\.(jpg|webp)$/,
        'what browsers cannot show, or we cannot clean, has a rendition',
      );
      const image = await asVisitor(gallery).get(path);
      assert.match(image.headers.get('content-type') ?? '', /^image\/(jpeg|webp)$/);
      assert.equal((await sharp(image.bytes).metadata()).width, 64);
    }
  });

  test('an upload keeps the frames of an animation', async () => {
    const { path, thumb, width, height } = assertWritten(
      await owner.upload(await createAnimation(3, 60, 40)),
    );
    assert.deepEqual([width, height], [60, 40]);
    for (const image of [path, thumb]) {
      assert.equal((await sharp((await asVisitor(gallery).get(image)).bytes).metadata()).pages, 3);
    }
  });

  test('an upload rotates pictures by their Exif orientation once', async () => {
    for (const orientation of [1, 3, 6, 8]) {
      const file = await sharp(await createLandmarks(300, 200))
        .withMetadata({ orientation })
        .jpeg()
        .toBuffer();
      const photo = assertWritten(await owner.upload(file));
      const isTurned = orientation >= 5;
      assert.deepEqual([photo.width, photo.height], isTurned ? [200, 300] : [300, 200]);
      const expected = await sharp(file).autoOrient().png().toBuffer();
      const { bytes } = await asVisitor(gallery).get(photo.thumb);
      const { width, height } = await sharp(bytes).metadata();
      assert.deepEqual([width, height], [photo.width, photo.height]);
      for (const [x, y] of [
        [10, 10],
        [photo.width - 10, 10],
        [10, photo.height - 10],
      ] as const) {
        const [is, should] = [await readPixel(bytes, x, y), await readPixel(expected, x, y)];
        assert.ok(
          is.every((value, channel) => Math.abs(value - should[channel]!) < 40),
          `${orientation}: ${is}`,
        );
      }
    }
  });

  test('the pictures of an upload never contain the location', async () => {
    const { id, path, thumb } = assertWritten(
      await owner.upload(await createJpegWithExif(), { title: 'At home' }),
    );
    const { preview } = await detail(id);
    for (const image of [path, preview, thumb]) {
      const { bytes } = await stranger.get(image);
      for (const secret of ['SERIAL-12345', 'SECRET-COPYRIGHT']) assert.ok(!bytes.includes(secret), image);
      const { exif } = await sharp(bytes).metadata();
      assert.ok(!exif?.includes('SERIAL'));
    }
  });

  test('an invalid upload names every invalid field and leaves nothing behind', async () => {
    const before = await held();
    const picture = await createJpeg();
    const upload = (fields: Record<string, string>) => owner.upload(picture, fields);
    const wrong = { title: 't'.repeat(201), description: 'd'.repeat(2001), album_id: 'x', is_public: '2' };
    assertRefused(await upload(wrong), 400, 400, ['title', 'description', 'album_id', 'is_public']);
    assertRefused(await upload({ title: 'a\u0000b', is_public: 'true' }), 400, 400, ['title', 'is_public']);
    assertRefused(await upload({ visibility: 'everyone' }), 400, 400, ['visibility']);
    for (const fields of [
      { visibility: 'members', is_public: '1' },
      { visibility: 'public', is_public: '0' },
    ]) {
      assertRefused(await upload(fields), 400, 400, ['visibility', 'is_public']);
    }
    // An empty field counts as unset.
    assertRefused(await upload({ album_id: '1.5', is_public: '' }), 400, 400, ['album_id']);
    const many = Array.from({ length: 31 }, (_, n) => `tag${n}`).join();
    for (const tags of [many, 'x'.repeat(51), 'fine,bad\u0000']) {
      assertRefused(await upload({ tags }), 400, 400, ['tags']);
    }
    assertRefused(await upload({ album_id: '999999' }), 404, 30001);
    const theirs = await addAlbum(stranger, 'Theirs');
    assertRefused(await upload({ album_id: String(theirs) }), 403, 30002);
    const form = new FormData();
    form.append('title', 'no file');
    assertRefused(await owner.send('POST', '/api/photos/upload', { body: form }), 400, 400, ['file']);
    const [fields, files] = [new FormData(), new FormData()];
    for (const twice of [fields, files]) twice.append('file', new Blob([new Uint8Array(picture)]), 'x.jpg');
    for (const title of ['one', 'two']) fields.append('title', title);
    files.append('file', new Blob([new Uint8Array(picture)]), 'y.jpg');
    assertRefused(await owner.send('POST', '/api/photos/upload', { body: fields }), 400, 400, ['title']);
    assertRefused(await owner.send('POST', '/api/photos/upload', { body: files }), 400, 400, ['file']);
    assertRefused(await asVisitor(gallery).upload(picture), 401, 401);
    assert.deepEqual(await held(), before);
  });

  test('an upload accepts titles, descriptions and tags up to their limits', async () => {
    const fields = {
      title: '📷'.repeat(200),
      description: '字'.repeat(2000),
      tags: Array.from({ length: 30 }, (_, n) => `${n}${'x'.repeat(50 - String(n).length)}`).join(),
    };
    const { id } = assertWritten(await owner.upload(await createJpeg(), fields));
    const { title, description, tags } = await detail(id);
    assert.deepEqual({ title, description, tags: tags.join() }, fields);
  });

  test('refuses a file that is not an image with 20001 and a too large file with 20002', async () => {
    const before = await held();
    const picture = await createJpeg();
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
    for (const file of ['', 'x', 'not a picture at all', svg, '<html></html>', 'GIF89a', '\u0089PNG\r\n']) {
      assertRefused(await owner.upload(Buffer.from(file, 'latin1'), {}, 'photo.jpg'), 415, 20001);
    }
    for (const part of [0.2, 0.5, 0.9])
      assertRefused(await owner.upload(picture.subarray(0, picture.length * part)), 415, 20001);
    const heavy = Buffer.concat([picture, Buffer.alloc(1024 * 1024)]);
    const vast = await createClaimingPng({ width: 16_000, height: 14_000 });
    const answers = [await owner.upload(heavy), await owner.upload(vast)];
    for (const answer of answers) assertRefused(answer, 413, 20002);
    const messages = answers.map(({ body }) => body.message).join();
    assert.match(messages, /up to 1 MB \(MAX_UPLOAD_MB\),.* accepts 220 \(MAX_MEGAPIXELS\)$/);
    assert.deepEqual(await held(), before);
  });

  test('accepts a file of exactly the maximum size', async () => {
    const picture = await createJpeg();
    const file = Buffer.concat([picture, Buffer.alloc(1024 * 1024 - picture.length)]);
    assert.equal(assertWritten(await owner.upload(file)).size, 1024 * 1024);
    assertRefused(await owner.upload(Buffer.concat([file, Buffer.alloc(1)])), 413, 20002);
  });

  test('an upload never uses the file name as a path', async () => {
    for (const name of [
      '../../../etc/passwd',
      '..\\..\\win.ini',
      '/etc/cron.d/x.jpg',
      '.htaccess',
      'CON.jpg',
      '\u202egpj.exe',
    ]) {
      const { path, thumb } = assertWritten(await owner.upload(await createJpeg(), {}, name));
      for (const place of [path, thumb])
        assert.match(place, /^\/storage\/[0-9a-f]{32}\.(original\.jpg|thumb\.webp)$/);
    }
    const { objects, images, temporary } = await held();
    assert.ok(objects >= images * 3, 'all of it lies where it belongs');
    assert.equal(temporary, 0);
  });

  test('creates as many photos as simultaneous uploads of the same file', async () => {
    const picture = await createJpeg({ colour: '#123456' });
    const photos = await Promise.all(
      Array.from({ length: 6 }, () => addPhoto(owner, { title: 'Twin' }, picture)),
    );
    assert.equal(new Set(photos.map(({ id }) => id)).size, 6);
    assert.equal(new Set(photos.map(({ path }) => path)).size, 6);
    for (const { path } of photos) assert.equal((await asVisitor(gallery).get(path)).status, 200);
  });

  test('refuses an upload beyond the quota with 20006, and does not count its bytes', async () => {
    const user = gallery.deps.db.kysely.updateTable('users').where('id', '=', stranger.id);
    const picture = await createJpeg();
    const file = { size: picture.length };
    await user.set({ quota_bytes: chargedBytes([file, file]) + 10 }).execute();
    const answers = await Promise.all(Array.from({ length: 4 }, () => stranger.upload(picture)));
    assert.deepEqual(answers.map(({ body }) => body.code).sort(), [0, 0, 20006, 20006]);
    assertRefused(answers.find(({ body }) => body.code === 20006)!, 413, 20006);
    const { used_bytes } = await gallery.deps.db.kysely
      .selectFrom('users')
      .select('used_bytes')
      .where('id', '=', stranger.id)
      .executeTakeFirstOrThrow();
    assert.equal(used_bytes, chargedBytes([file, file]));
  });

  test('the server logged no error during these tests', () => assert.deepEqual(gallery.complaints(), []));
});
