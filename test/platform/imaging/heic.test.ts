import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { estimateDecodeBytes } from '../../../server/platform/imaging/bounds.ts';
import { ImageError } from '../../../server/platform/imaging/errors.ts';
import { tiffHeader } from '../../../server/platform/imaging/worker/metadata/tiff-header.ts';
import { sharp } from '../../../server/platform/imaging/worker/sharp.ts';
import { readThreadMs } from '../../support/thread-time.ts';
import { corpusFile, withoutCorpus } from './corpus.ts';
import { createFolder, edit, isNear, pixelAt, startImaging } from './pictures.ts';

const write = createFolder();
const imaging = startImaging();
const iphone = corpusFile('photos/formats/iphone_13_pro_max_o6.heic');

suite('HEIC', { skip: withoutCorpus }, () => {
  test('becomes upright renditions and a full size that browsers show', async () => {
    const { inspection, renditions } = await imaging.upload(iphone);
    assert.partialDeepStrictEqual(inspection, {
      format: 'heic',
      width: 3024,
      height: 4032,
      orientation: 1,
    });
    const { thumb, preview, full } = renditions;
    assert.partialDeepStrictEqual(thumb, { width: 300, height: 400, format: 'webp' });
    assert.partialDeepStrictEqual(preview, { width: 1200, height: 1600, format: 'jpeg' });
    assert.partialDeepStrictEqual(full, { width: 3024, height: 4032, format: 'jpeg' });
    assert.equal((await sharp(full!.data).metadata()).exif, undefined);
    // The photo shows a white ceiling at the top and a dark blue table mat at the bottom, which proves the
    // orientation.
    const [above, below] = [await meanAt(thumb.data, 0.15, 0.03), await meanAt(thumb.data, 0.5, 0.95)];
    assert.ok(above[0]! > 130 && above[2]! > 120, `${above}`);
    assert.ok(below[2]! > below[0]! + 30 && below[0]! < 90, `${below}`);
  });

  test('does not hold the event loop while it decodes', async () => {
    let longest = 0;
    let last = readThreadMs();
    const timer = setInterval(() => {
      longest = Math.max(longest, readThreadMs() - last);
      last = readThreadMs();
    }, 5);
    await imaging.upload(iphone);
    clearInterval(timer);
    assert.ok(longest < 400, `${longest} ms`);
  });

  test('weighs what its decoder takes, also of a small one', async () => {
    const picture = await imaging.inspect(iphone);
    const bytes = estimateDecodeBytes(picture);
    // Measured memory of 12-megapixel pictures: 163 MB for this one, 212 MB with full-size color planes, 228
    // MB with transparency.
    assert.ok(bytes >= 70e6 + 13 * picture.width * picture.height, `${bytes} bytes`);
  });

  test('can be edited, into JPEG', async () => {
    const { image } = await edit(imaging, iphone, [{ action: 'resize', params: { width: 300 } }]);
    assert.partialDeepStrictEqual(image, { format: 'jpeg', width: 300, height: 400 });
  });

  test('is refused when it is cut short or damaged, and the next one is not', async () => {
    const whole = readFileSync(iphone);
    for (const bytes of [100_000, 1_000_000, 2_000_000]) {
      const cut = write('cut.heic', whole.subarray(0, bytes));
      await assert.rejects(imaging.upload(cut), ImageError, `${bytes} bytes`);
    }
    const { renditions } = await imaging.upload(iphone);
    assert.equal(renditions.thumb.width, 300);
  });

  test('decodes several at once', async () => {
    const file = corpusFile('bad/real/heif_named_jpg.jpg');
    const all = await Promise.all([1, 2, 3].map(async () => (await imaging.upload(file)).renditions));
    for (const { preview } of all) assert.deepEqual(preview.data, all[0]!.preview.data);
  });
});

suite('pixels handed over as TIFF', () => {
  test('keep colours, alpha and profile', async () => {
    const wide = sharp({ create: { width: 2, height: 2, channels: 3, background: 'red' } }).withIccProfile(
      'p3',
    );
    const icc = (await sharp(await wide.png().toBuffer()).metadata()).icc!;
    const header = tiffHeader({ width: 2, height: 1, channels: 4, icc });
    const tiff = Buffer.concat([header, Buffer.from([234, 51, 35, 255, 10, 20, 30, 128])]);
    const png = await sharp(tiff).png().toBuffer();
    assert.ok(isNear(await pixelAt(png, 0, 0), [255, 0, 0, 255], 6), 'P3 became sRGB');
    assert.equal((await pixelAt(png, 0.6, 0))[3], 128);
  });
});

/** Returns the mean color of 16 by 16 pixels around a point, given as fractions of the sides. */
async function meanAt(data: Buffer, x: number, y: number): Promise<number[]> {
  const { width, height } = await sharp(data).metadata();
  const region = { left: Math.round(x * width) - 8, top: Math.round(y * height) - 8, width: 16, height: 16 };
  const { channels } = await sharp(await sharp(data).extract(region).png().toBuffer()).stats();
  return channels.map(({ mean }) => mean);
}
