import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ImageError } from '../../../server/platform/imaging/errors.ts';
import { sharp } from '../../../server/platform/imaging/worker/sharp.ts';
import {
  createAnimation,
  createFolder,
  createQuarters,
  green,
  isNear,
  pixelAt,
  red,
  startImaging,
} from './pictures.ts';

const write = createFolder();
const imaging = startImaging();
const renderAvatar = (file: string) => imaging.avatar(file, {});

suite('an avatar', () => {
  test('is a square from the middle, upright and without metadata', async () => {
    // Stores the picture turned by 90 degrees. The upright picture is 300 by 900, with red and green in the
    // upper half.
    const exif = { IFD0: { Make: 'Acme' } };
    const lying = await sharp(await createQuarters(300, 900).removeAlpha().png().toBuffer())
      .rotate(-90)
      .png()
      .toBuffer();
    const data = await sharp(lying).withExif(exif).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const avatar = await renderAvatar(write('lying.jpg', data));
    const metadata = await sharp(avatar).metadata();
    assert.partialDeepStrictEqual(metadata, { format: 'webp', width: 256, height: 256 });
    assert.equal(metadata.exif, undefined);
    assert.ok(isNear(await pixelAt(avatar, 0.25, 0.4), red, 30));
    assert.ok(isNear(await pixelAt(avatar, 0.75, 0.4), green, 30));
  });

  test('is the first frame of an animation', async () => {
    const avatar = await renderAvatar(write('a.gif', await createAnimation('gif', 60, 60, 3)));
    assert.equal((await sharp(avatar).metadata()).pages, undefined);
    assert.ok(isNear(await pixelAt(avatar, 0.25, 0.25), red, 30));
  });

  test('is enlarged from a small picture', async () => {
    const avatar = await renderAvatar(write('small.png', await createQuarters(10, 4).png().toBuffer()));
    assert.partialDeepStrictEqual(await sharp(avatar).metadata(), { width: 256, height: 256 });
  });

  test('is not made of what is no picture, or only half of one', async () => {
    const png = await createQuarters(300, 300).png({ compressionLevel: 0 }).toBuffer();
    const half = write('half.png', png.subarray(0, png.length / 2));
    await assert.rejects(renderAvatar(half), ImageError);
    await assert.rejects(renderAvatar(write('a.svg', Buffer.from('<svg/>'))), ImageError);
  });
});
