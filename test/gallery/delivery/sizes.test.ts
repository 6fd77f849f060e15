/**
 * Tests sizes on demand: the server renders a size at its first request, once, and then serves it like a
 * thumbnail.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import sharp from 'sharp';
import { runMaintenance } from '../../../server/tools/maintenance/maintenance.ts';
import { assertDone, assertRead, assertRefused } from '../../support/assert-answers.ts';
import { listReferencedObjects, listStoredObjects } from '../../support/gallery-counts.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addPhoto, asVisitor, type Person, register } from '../../support/people.ts';
import { createAnimation, createJpeg, createLandmarks, readPixel } from '../../support/pictures.ts';
import { countRenderings, listStoredSizes, readImagePath, readKey } from './sizes.ts';

describe('a size on demand', () => {
  let gallery: Gallery;
  let owner: Person;
  let anybody: Person;

  before(async () => {
    gallery = await startGallery();
    owner = await register(gallery, 'owner');
    anybody = asVisitor(gallery);
  });
  after(() => gallery.close());

  const fetched = async (path: string, who = anybody): Promise<Buffer> => {
    const { status, bytes } = await who.get(path);
    assert.equal(status, 200, `${path}: ${bytes}`);
    return bytes;
  };

  test('has the width that was asked for, upright, in both formats, and no metadata', async () => {
    // Creates a picture stored turned by 90 degrees. The upright picture is 3000 wide and 2000 high.
    const lying = await sharp(await createLandmarks(3000, 2000))
      .rotate(270)
      .withExif({ IFD0: { Copyright: 'SECRET' } })
      .withMetadata({ orientation: 6 })
      .jpeg({ quality: 95 })
      .toBuffer();
    const at = await readImagePath(owner, await addPhoto(owner, {}, lying));
    for (const width of [320, 640, 960, 1280, 1920, 2560]) {
      for (const format of ['webp', 'jpg']) {
        const bytes = await fetched(at(width, format));
        const made = await sharp(bytes).metadata();
        assert.deepEqual([made.width, made.height], [width, Math.round((width * 2) / 3)]);
        assert.equal(made.format, format === 'jpg' ? 'jpeg' : 'webp');
        assert.deepEqual([made.exif, made.xmp, made.orientation], [undefined, undefined, undefined]);
        // Points in the three colored areas: red at the top, green at the bottom left, blue at the bottom
        // right.
        const corners = [
          [0.25, 0.25],
          [0.25, 0.75],
          [0.75, 0.75],
        ] as const;
        const seen = await Promise.all(
          corners.map(([x, y]) => readPixel(bytes, Math.round(width * x), Math.round(made.height! * y))),
        );
        const brightest = seen.map((colour) => colour.indexOf(Math.max(...colour)));
        assert.deepEqual(brightest, [0, 1, 2], `${width} ${format}: ${seen}`);
      }
    }
  });

  test('is answered like a thumbnail', async () => {
    const photo = await addPhoto(owner, {}, await createJpeg({ width: 900, height: 600 }));
    const at = await readImagePath(owner, photo);
    const asThumb = (await anybody.get(photo.thumb)).headers;
    const first = await anybody.get(at(320));
    const again = await anybody.get(at(320));
    for (const { status, headers } of [first, again]) {
      assert.equal(status, 200);
      for (const name of [
        'cache-control',
        'content-type',
        'x-content-type-options',
        'content-security-policy',
      ]) {
        assert.equal(headers.get(name), asThumb.get(name), name);
      }
    }
    assert.ok(first.bytes.equals(again.bytes));
    const etag = first.headers.get('etag')!;
    assert.equal((await anybody.get(at(320), { 'if-none-match': etag })).status, 304);
    assert.notEqual(etag, asThumb.get('etag'));
    const part = await anybody.get(at(320), { range: 'bytes=4-9' });
    assert.deepEqual([part.status, part.bytes], [206, first.bytes.subarray(4, 10)]);
    const { status, headers, bytes } = await anybody.send('HEAD', at(320));
    assert.deepEqual([status, headers.get('content-length')], [200, String(first.bytes.length)]);
    assert.equal(bytes.length, 0);
  });

  test('is the picture itself, once, for all widths above its own', async () => {
    const photo = await addPhoto(owner, {}, await createJpeg({ width: 700, height: 300 }));
    const at = await readImagePath(owner, photo);
    const pictures = await Promise.all([960, 1280, 1920, 2560].map((width) => fetched(at(width))));
    for (const bytes of pictures) assert.ok(bytes.equals(pictures[0]!));
    const { width, height } = await sharp(pictures[0]).metadata();
    assert.deepEqual([width, height], [700, 300]);
    assert.deepEqual(await listStoredSizes(gallery, photo), [`${readKey(photo)}.w960.webp`]);
  });

  test('fits what formats and memory can hold for a very tall picture', async () => {
    const at = await readImagePath(
      owner,
      await addPhoto(owner, {}, await createJpeg({ width: 20, height: 20_000 })),
    );
    const { width, height } = await sharp(await fetched(at(320))).metadata();
    assert.deepEqual([width, height], [16, 16_383]);
  });

  test('has no other width and no other name', async () => {
    const photo = await addPhoto(owner);
    const key = readKey(photo);
    const names = ['w0', 'w1', 'w319', 'w400', 'w1600', 'w5000', 'w0640', 'w+640', 'w640.0', 'w6e2', 'w-320'];
    names.push(
      'W640',
      'w640 ',
      'w',
      'w{width}',
      'w%7Bwidth%7D',
      'w640.webp.w320',
      'w٦٤٠',
      'w640%00',
      'w99999999999',
    );
    for (const name of names) {
      assertRefused(await anybody.get(`/storage/${key}.${name}.webp`), 404, 404);
    }
    for (const name of [`w640.png`, 'w640.avif', 'w640.jpeg', 'w640.gif']) {
      assertRefused(await anybody.get(`/storage/${key}.${name}`), 404, 20003);
    }
    for (const path of [
      `${key.toUpperCase()}.w640.webp`,
      `../${key}.w640.webp`,
      `${key}.w640`,
      `${key}w640.webp`,
    ]) {
      assert.equal((await anybody.get(`/storage/${path}`)).status, 404, path);
    }
    assertRefused(await anybody.get(`/storage/${'0'.repeat(32)}.w640.webp`), 404, 20003);
    // A percent-encoded name is the same name.
    assert.equal((await anybody.get(`/storage/${key}%2Ew320.webp`)).status, 200);
    assert.deepEqual(await listStoredSizes(gallery, photo), [`${key}.w320.webp`]);
  });

  test('moves as WebP and is the first frame as JPEG for an animation', async () => {
    const at = await readImagePath(owner, await addPhoto(owner, {}, await createAnimation(4, 800, 400)));
    const moving = await sharp(await fetched(at(320)), { animated: true }).metadata();
    assert.deepEqual([moving.pages, moving.width, moving.pageHeight], [4, 320, 160]);
    const still = await fetched(at(320, 'jpg'));
    const { width, height, pages } = await sharp(still, { animated: true }).metadata();
    assert.deepEqual([width, height, pages ?? 1], [320, 160, 1]);
    const [red, green] = await readPixel(still, 160, 80);
    assert.ok(red! < 30 && green! > 170, 'the first of the frames');
  });

  test('keeps transparency as WebP, and lies on white as JPEG', async () => {
    const background = { r: 0, g: 0, b: 0, alpha: 0 };
    const clear = await sharp({ create: { width: 2000, height: 1000, channels: 4, background } })
      .png()
      .toBuffer();
    const at = await readImagePath(owner, await addPhoto(owner, {}, clear));
    for (const width of [320, 1920]) {
      const { hasAlpha } = await sharp(await fetched(at(width))).metadata();
      assert.equal(hasAlpha, true);
      assert.deepEqual(await readPixel(await fetched(at(width, 'jpg')), 9, 9), [255, 255, 255]);
    }
  });

  test('is also made of formats that browsers do not show, and of edited images', async () => {
    const tiff = await sharp(await createLandmarks(2400, 1600))
      .tiff()
      .toBuffer();
    const photo = await addPhoto(owner, {}, tiff);
    const measureSize = async (path: string) => {
      const { width, height } = await sharp(await fetched(path)).metadata();
      return [width, height];
    };
    const before = await readImagePath(owner, photo);
    assert.deepEqual(await measureSize(before(1920)), [1920, 1280]);
    await owner.post(`/api/photos/${photo.id}/edit`, { action: 'rotate', params: { angle: 90 } });
    const turned = await readImagePath(owner, photo);
    assert.notEqual(turned(640), before(640));
    assert.deepEqual(await measureSize(turned(640)), [640, 960]);
    assert.deepEqual(await measureSize(turned(1280)), [1280, 1920]);
  });

  test('is rendered once when it is requested fifty times at once, and counts for no quota', async () => {
    const photo = await addPhoto(owner, {}, await createJpeg({ width: 2000, height: 1500 }));
    const at = await readImagePath(owner, photo);
    const usedBefore = assertRead(await owner.get('/api/auth/user'));
    const rowBefore = await gallery.deps.db.kysely
      .selectFrom('users')
      .select('used_bytes')
      .where('id', '=', owner.id)
      .execute();
    const madeBefore = await countRenderings(gallery);
    const answers = await Promise.all(Array.from({ length: 50 }, () => anybody.get(at(640))));
    for (const { status, bytes } of answers) {
      assert.equal(status, 200);
      assert.ok(bytes.equals(answers[0]!.bytes));
    }
    assert.equal((await countRenderings(gallery)) - madeBefore, 1);
    await fetched(at(640));
    assert.equal((await countRenderings(gallery)) - madeBefore, 1);
    assert.deepEqual(assertRead(await owner.get('/api/auth/user')), usedBefore);
    assert.deepEqual(
      await gallery.deps.db.kysely
        .selectFrom('users')
        .select('used_bytes')
        .where('id', '=', owner.id)
        .execute(),
      rowBefore,
    );
  });

  test('is rendered by each of two servers at most once', async () => {
    const other = await startGallery({ ...gallery.deps.config });
    try {
      const photos = await Promise.all(
        [1, 2, 3].map(async () => addPhoto(owner, {}, await createJpeg({ width: 1900, height: 1200 }))),
      );
      const before = (await countRenderings(gallery)) + (await countRenderings(other));
      const paths = await Promise.all(photos.map(async (photo) => (await readImagePath(owner, photo))(960)));
      const asked = paths.flatMap((path) =>
        Array.from({ length: 10 }, () => [anybody, asVisitor(other)].map((who) => who.get(path))),
      );
      const answers = await Promise.all(asked.flat());
      assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
      const made = (await countRenderings(gallery)) + (await countRenderings(other)) - before;
      assert.ok(made >= photos.length && made <= 2 * photos.length, String(made));
      for (const [index, photo] of photos.entries()) {
        const name = `${readKey(photo)}.w960.webp`;
        assert.deepEqual(await listStoredSizes(gallery, photo), [name]);
        assert.ok((await anybody.get(paths[index]!)).bytes.equals((await gallery.deps.storage.read(name))!));
      }
    } finally {
      await other.close();
    }
  });

  test('is rendered again when its object was lost', async () => {
    const photo = await addPhoto(owner, {}, await createJpeg({ width: 500, height: 400 }));
    const at = await readImagePath(owner, photo);
    // Starts another server, because a cache of the first server would hide the loss.
    const other = await startGallery({ ...gallery.deps.config });
    try {
      const bytes = await fetched(at(320));
      await gallery.deps.storage.remove(`${readKey(photo)}.w320.webp`);
      assert.ok((await fetched(at(320), asVisitor(other))).equals(bytes));
      assert.deepEqual(await listStoredSizes(gallery, photo), [`${readKey(photo)}.w320.webp`]);
    } finally {
      await other.close();
    }
  });

  test('ends with its photo', async () => {
    const photo = await addPhoto(owner, {}, await createJpeg({ width: 500, height: 400 }));
    const at = await readImagePath(owner, photo);
    for (const format of ['webp', 'jpg']) await fetched(at(320, format));
    assertDone(await owner.delete(`/api/photos/${photo.id}`));
    assertRefused(await anybody.get(at(320)), 404, 20003);
    assert.equal((await owner.get(at(320))).status, 200, 'its owner looks into the trash');
    assert.equal((await listStoredSizes(gallery, photo)).length, 2);
    assertDone(await owner.delete(`/api/trash/${photo.id}`));
    assertRefused(await owner.get(at(320)), 404, 20003);
    await runMaintenance(gallery.deps, { graceSeconds: 86_400 });
    assert.deepEqual(await listStoredSizes(gallery, photo), []);
    assert.deepEqual(await listStoredObjects(gallery.deps), await listReferencedObjects(gallery.deps));
  });

  test('the server logged no error during these tests', () => assert.deepEqual(gallery.complaints(), []));
});
