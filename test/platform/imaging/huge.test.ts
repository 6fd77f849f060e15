/** Photos of 200 megapixels, which the largest sensors of phones produce. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { estimateUploadBytes } from '../../../server/platform/imaging/bounds.ts';
import { ImageError } from '../../../server/platform/imaging/errors.ts';
import { sharp } from '../../../server/platform/imaging/worker/sharp.ts';
import { createRepeatedJpeg, markProgressive } from '../../support/huge-jpeg.ts';
import { createFolder, edit, isNear, pixelAt, pngHeader, type Rgba, startImaging } from './pictures.ts';

const write = createFolder();
const size = { width: 16_320, height: 12_240 };
const colour = '#2a7a3f';
const rgba: Rgba = [0x2a, 0x7a, 0x3f, 255];
const jpeg = await createRepeatedJpeg({ ...size, colour });
const file = write('huge.jpg', jpeg);

/** The part for pictures of a server with a memory limit of 512 MB. */
const small = startImaging({ memoryBytes: 307_000_000 });
/** The part for pictures of a server with a memory limit of 2 GB. */
const ordinary = startImaging({ memoryBytes: 1_228_000_000 });

suite('a JPEG of 200 megapixels', () => {
  test('is accepted by a server with 512 MB of memory', async () => {
    const { inspection, renditions } = await small.upload(file);
    assert.deepEqual([inspection.width, inspection.height], [size.width, size.height]);
    assert.deepEqual([renditions.preview.width, renditions.preview.height], [1600, 1200]);
    assert.ok(isNear(await pixelAt(renditions.preview.data, 0.5, 0.99), rgba, 4));
  });

  test('is accepted with an orientation', async () => {
    const turned = write('turned.jpg', addOrientation(jpeg, 6));
    const { inspection, renditions } = await small.upload(turned);
    assert.deepEqual([inspection.width, inspection.height], [size.height, size.width]);
    assert.deepEqual([renditions.preview.width, renditions.preview.height], [1200, 1600]);
  });

  test('has sizes of every width', async () => {
    const asked = { ...size, to: 2560, isAnimated: false, format: 'webp' } as const;
    const { width, height } = await sharp(await small.size(file, asked, {})).metadata();
    assert.deepEqual([width, height], [2560, 1920]);
  });

  test('is refused if its end is missing', async () => {
    const cut = write('cut.jpg', jpeg.subarray(0, Math.round(jpeg.length * 0.98)));
    await assert.rejects(
      small.upload(cut),
      (error) => error instanceof ImageError && error.reason === 'format',
    );
  });

  test('can be edited by a server with 2 GB of memory', async () => {
    const crop = { action: 'crop', params: { x: 100, y: 100, width: 16_000, height: 12_000 } } as const;
    const { image } = await edit(ordinary, file, [crop]);
    assert.deepEqual([image.width, image.height, image.format], [16_000, 12_000, 'jpeg']);
  });

  test('is refused for an edit by a server with 512 MB of memory, with the limit and its setting', async () => {
    const rotate = { action: 'rotate', params: { angle: 90 } } as const;
    await assert.rejects(
      edit(small, file, [rotate]),
      /needs \d+ MB of memory, but this server has 307 MB for pictures \(IMAGING_MEMORY_MB\)/,
    );
  });

  test('needs the memory of all its pixels if it is progressive, and is refused clearly without', async () => {
    const progressive = write('progressive.jpg', markProgressive(jpeg));
    await assert.rejects(
      small.upload(progressive),
      /needs \d+ MB of memory, but this server has 307 MB for pictures \(IMAGING_MEMORY_MB\)/,
    );
    const bytes = estimateUploadBytes(await small.inspect(progressive), false);
    assert.ok(bytes > size.width * size.height * 6, `${bytes} bytes`);
  });
});

test('a picture of more megapixels is refused with its size, the limit and the setting', async () => {
  const words = 'it has 224 megapixels, but this server accepts 220 \\(MAX_MEGAPIXELS\\)';
  const files = [pngHeader(16_000, 14_000, 0), await createRepeatedJpeg({ width: 16_000, height: 14_000 })];
  for (const data of files) {
    const vast = write('vast', data);
    await assert.rejects(ordinary.inspect(vast), new RegExp(words));
    await assert.rejects(ordinary.upload(vast), new RegExp(words));
  }
});

/** Inserts an Exif block with an orientation. */
function addOrientation(jpeg: Buffer, orientation: number): Buffer {
  const tiff = Buffer.from('4d4d002a00000008000101120003000000010000000000000000', 'hex');
  tiff.writeUInt16BE(orientation, 18);
  const exif = Buffer.concat([Buffer.from([0xff, 0xe1, 0, tiff.length + 8]), Buffer.from('Exif\0\0'), tiff]);
  return Buffer.concat([jpeg.subarray(0, 2), exif, jpeg.subarray(2)]);
}
