/** Tests the card, the JPEG of link previews: its limits, its privacy, and that it is rendered once. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import sharp from 'sharp';
import { assertDone, assertRead } from '../../support/assert-answers.ts';
import { listStoredObjects } from '../../support/gallery-counts.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addPhoto, asVisitor, type Person, register } from '../../support/people.ts';
import {
  createAnimation,
  createJpeg,
  createLandmarks,
  createNoise,
  readPixel,
} from '../../support/pictures.ts';
import { countRenderings, readKey } from './sizes.ts';

const maxBytes = 600_000;

describe('the card of a photo', () => {
  let gallery: Gallery;
  let owner: Person;
  let anybody: Person;

  before(async () => {
    gallery = await startGallery();
    owner = await register(gallery, 'owner');
    anybody = asVisitor(gallery);
  });
  after(() => gallery.close());

  const buildCardPath = (photo: { thumb: string }) => `/storage/${readKey(photo)}.card.jpg`;

  test('is a JPEG below 600 kB within 1200 pixels, for every kind of picture', async () => {
    const clear = { r: 0, g: 0, b: 0, alpha: 0 };
    for (const [name, picture, width, height] of [
      ['a large photo', await createJpeg({ width: 3000, height: 2000 }), 1200, 800],
      ['a tall photo', await createJpeg({ width: 700, height: 2800 }), 300, 1200],
      ['a small photo', await createJpeg({ width: 90, height: 60 }), 90, 60],
      ['noise', await createNoise(1600, 1600), 1200, 1200],
      ['a banner', await createJpeg({ width: 6000, height: 20 }), 1200, 4],
      [
        'a transparent PNG',
        await sharp({ create: { width: 500, height: 400, channels: 4, background: clear } })
          .png()
          .toBuffer(),
        500,
        400,
      ],
      [
        'a WebP',
        await sharp(await createJpeg({ width: 1300, height: 1300 }))
          .webp()
          .toBuffer(),
        1200,
        1200,
      ],
      ['an animation', await createAnimation(3, 600, 400), 600, 400],
    ] as const) {
      const { status, headers, bytes } = await anybody.get(buildCardPath(await addPhoto(owner, {}, picture)));
      assert.deepEqual([status, headers.get('content-type')], [200, 'image/jpeg'], name);
      assert.ok(bytes.length < maxBytes, `${name}: ${bytes.length} bytes`);
      const made = await sharp(bytes).metadata();
      assert.deepEqual([made.format, made.width, made.height], ['jpeg', width, height], name);
      if (name === 'a transparent PNG') assert.deepEqual(await readPixel(bytes, 5, 5), [255, 255, 255]);
    }
  });

  test('is rendered once, however many programs ask at the same time', async () => {
    const photo = await addPhoto(owner, {}, await createLandmarks(1500, 1000));
    const before = await countRenderings(gallery);
    const answers = await Promise.all(Array.from({ length: 100 }, () => anybody.get(buildCardPath(photo))));
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
    assert.equal((await countRenderings(gallery)) - before, 1);
  });

  test('is private like the photo, and one signature covers it with the sizes', async () => {
    const photo = await addPhoto(owner, { is_public: '0' });
    assert.equal((await anybody.get(buildCardPath(photo))).status, 403);
    const { image } = assertRead(await owner.get(`/api/photos/${photo.id}`));
    const signed = image.replace('.w{width}.webp', '.card.jpg');
    assert.equal((await anybody.get(signed)).status, 200);
    assert.equal((await anybody.get(buildCardPath(photo))).status, 403, 'also after it was rendered');
    assert.equal((await anybody.get(buildCardPath(photo).replace('.jpg', '.webp'))).status, 404);
  });

  test('is deleted with the photo', async () => {
    const photo = await addPhoto(owner, { title: 'Ends' });
    assert.equal((await anybody.get(buildCardPath(photo))).status, 200);
    const name = buildCardPath(photo).slice('/storage/'.length);
    assert.ok((await listStoredObjects(gallery.deps)).includes(name));
    assertDone(await owner.delete(`/api/photos/${photo.id}`));
    assertDone(await owner.delete(`/api/trash/${photo.id}`));
    const removals = await gallery.deps.db.kysely.selectFrom('removals').select('object').execute();
    assert.ok(removals.some(({ object }) => object === name));
  });
});
