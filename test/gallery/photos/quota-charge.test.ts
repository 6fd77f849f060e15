/**
 * The bytes stored for a photo stay close to the bytes charged to its owner, whichever sizes clients request.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import sharp from 'sharp';
import { chargedBytes } from '../../../server/gallery/photos/upload/quota.ts';
import { assertDone, assertRead } from '../../support/assert-answers.ts';
import { assertTotalsMatchRows } from '../../support/assert-totals.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addPhoto, asVisitor, type Person, register, type UploadedPhoto } from '../../support/people.ts';
import { listStoredSizes, readImagePath, readKey } from '../delivery/sizes.ts';

const widths = [320, 640, 960, 1280, 1920, 2560];

describe('the charge for a file', () => {
  let gallery: Gallery;
  let owner: Person;
  let anybody: Person;

  before(async () => {
    gallery = await startGallery();
    owner = await register(gallery, 'owner');
    anybody = asVisitor(gallery);
  });
  after(() => gallery?.close());

  const used = async () => assertRead(await owner.get('/api/auth/user')).storage_used;

  async function bytesStored(photo: UploadedPhoto): Promise<number> {
    const names: string[] = [];
    for await (const some of gallery.deps.storage.list()) names.push(...some);
    const own = names.filter((name) => name.startsWith(readKey(photo)));
    const objects = await Promise.all(own.map((name) => gallery.deps.storage.read(name)));
    return objects.reduce((sum, object) => sum + object!.length, 0);
  }

  async function askForAllSizes(photo: UploadedPhoto): Promise<void> {
    const at = await readImagePath(owner, photo);
    for (const width of widths) {
      for (const format of ['webp', 'jpg']) {
        assert.ok([200, 302].includes((await anybody.get(at(width, format))).status));
      }
    }
  }

  test('the quota charge covers a small file with incompressible pixels and all its sizes', async () => {
    const before = await used();
    const photo = await addPhoto(owner, {}, await checkerboard(1300));
    assert.ok(photo.size < 50_000);
    const charged = chargedBytes([photo]);
    assert.equal((await used()) - before, charged);
    await askForAllSizes(photo);
    const stored = await bytesStored(photo);
    assert.ok(stored < 2 * charged, `${stored} bytes stored, ${charged} charged`);
    assert.equal((await used()) - before, charged, 'reading changes nothing');
    assertDone(await owner.delete(`/api/photos/${photo.id}`));
    assertDone(await owner.delete(`/api/trash/${photo.id}`));
    assert.equal(await used(), before);
  });

  test('the quota charge includes renditions for browsers that are much larger than the file', async () => {
    const before = await used();
    const tiff = await sharp(await checkerboard(3000))
      .tiff({ compression: 'deflate', predictor: 'none' })
      .toBuffer();
    const photo = await addPhoto(owner, {}, tiff);
    const charged = (await used()) - before;
    assert.ok(charged > chargedBytes([photo]) + 100_000, `${charged} for ${photo.size}`);
    assert.ok((await bytesStored(photo)) < 2 * charged);
    await assertTotalsMatchRows(gallery);
    await owner.delete(`/api/photos/${photo.id}`);
    assertDone(await owner.delete(`/api/trash/${photo.id}`));
    assert.equal(await used(), before);
  });

  test('the quota charge limits the renditions of an animation, which keep all frames', async () => {
    const file = await movingCheckerboard(600, 8);
    const photo = await addPhoto(owner, {}, file);
    const preview = await anybody.get(photo.path.replace('.original.gif', '.preview.webp'));
    assert.equal(preview.status, 200);
    assert.ok(preview.bytes.length <= 512 * 1024, `${preview.bytes.length} bytes`);
    assert.equal((await sharp(preview.bytes, { animated: true }).metadata()).pages, 8);
    assert.equal((await anybody.get((await readImagePath(owner, photo))(320))).status, 200);
    assert.ok((await bytesStored(photo)) < 2 * chargedBytes([photo]));
  });

  test('a size larger than its original is rendered once and not stored', async () => {
    const photo = await addPhoto(owner, { is_public: '0' }, await checkerboard(1200));
    const path = (await readImagePath(owner, photo))(960);
    const first = await anybody.get(path);
    assert.equal(first.status, 302);
    assert.equal(first.headers.get('cache-control'), 'no-store');
    const location = new URL(first.headers.get('location')!, gallery.url + path);
    assert.match(location.pathname, /\.preview\.jpg$/);
    assert.equal((await anybody.get(location.pathname + location.search)).status, 200);
    assert.equal((await anybody.get(location.pathname)).status, 403, 'the photo is private');
    assert.deepEqual(await listStoredSizes(gallery, photo), []);

    const { storage } = gallery.deps;
    const { read, openLocalFile } = storage;
    let reads = 0;
    storage.read = (name) => {
      reads++;
      return read(name);
    };
    storage.openLocalFile = (name) => {
      reads++;
      return openLocalFile(name);
    };
    const answers = await Promise.all(Array.from({ length: 5 }, () => anybody.get(path)));
    Object.assign(storage, { read, openLocalFile });
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [302]);
    assert.equal(reads, 0);
  });

  test('the server logged no error during these tests', () => assert.deepEqual(gallery.complaints(), []));
});

/** Creates a picture with alternating white and black pixels: some kilobytes as PNG, a megabyte as JPEG. */
function checkerboard(side: number): Promise<Buffer> {
  const data = Buffer.alloc(side * side);
  for (let at = 0; at < data.length; at++) data[at] = ((at % side) + Math.floor(at / side)) % 2 ? 255 : 0;
  return sharp(data, { raw: { width: side, height: side, channels: 1 } })
    .png()
    .toBuffer();
}

/** Creates an animation in which each frame inverts the frame before. */
function movingCheckerboard(side: number, frames: number): Promise<Buffer> {
  const data = Buffer.alloc(side * side * frames * 3);
  for (let at = 0; at < data.length / 3; at++) {
    const isWhite = ((at % side) + Math.floor(at / side) + Math.floor(at / (side * side))) % 2;
    data.fill(isWhite ? 255 : 0, at * 3, at * 3 + 3);
  }
  const raw = { width: side, height: side * frames, channels: 3, pageHeight: side } as const;
  return sharp(data, { raw }).gif().toBuffer();
}
