/** Tests that pictures keep their colors, however their samples are stored: bits, color models and transparency. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { sharp } from '../../../server/platform/imaging/worker/sharp.ts';
import { createPngChunk } from '../../support/hostile-metadata.ts';
import { createFolder, createQuarters, pixelAt, startImaging } from './pictures.ts';

const write = createFolder();
const imaging = startImaging();

const quarters = () => createQuarters(60, 40);
const opaque = () => quarters().removeAlpha();

/** Adds a color to a PNG that counts as transparent. */
function addTransparentColor(png: Buffer, samples: number[]): Buffer {
  const data = Buffer.alloc(samples.length * 2);
  for (const [index, sample] of samples.entries()) data.writeUInt16BE(sample, index * 2);
  const at = png.indexOf('IDAT') - 4;
  return Buffer.concat([png.subarray(0, at), createPngChunk('tRNS', data), png.subarray(at)]);
}

const look = async (name: string, data: Buffer) => {
  const { renditions } = await imaging.upload(write(name, data));
  return pixelAt(renditions.thumb.data, 0.75, 0.25);
};

suite('a picture', () => {
  const greens: [kind: string, create: () => Promise<Buffer>][] = [
    ['a TIFF of 16 bits', () => opaque().toColourspace('rgb16').tiff().toBuffer()],
    ['a TIFF of 16 bits with transparency', () => quarters().toColourspace('rgb16').tiff().toBuffer()],
    ['a TIFF of inks', () => opaque().toColourspace('cmyk').tiff().toBuffer()],
    ['a TIFF with JPEG inside', () => opaque().tiff({ compression: 'jpeg', quality: 95 }).toBuffer()],
    ['a TIFF in tiles', () => opaque().tiff({ tile: true, tileWidth: 32, tileHeight: 32 }).toBuffer()],
    [
      'a TIFF as a pyramid',
      () => opaque().tiff({ tile: true, pyramid: true, tileWidth: 16, tileHeight: 16 }).toBuffer(),
    ],
    ['a TIFF in Lab', () => opaque().toColourspace('lab').tiff().toBuffer()],
    ['a PNG of 16 bits', () => opaque().toColourspace('rgb16').png().toBuffer()],
    ['a PNG with a palette of four colors', () => opaque().png({ palette: true, colours: 4 }).toBuffer()],
    ['an interlaced PNG', () => opaque().png({ progressive: true }).toBuffer()],
    ['a progressive JPEG', () => opaque().jpeg({ progressive: true, quality: 95 }).toBuffer()],
    ['a JPEG of inverted inks', () => opaque().toColourspace('cmyk').jpeg({ quality: 95 }).toBuffer()],
    [
      'a JPEG without subsampling',
      () => opaque().jpeg({ chromaSubsampling: '4:4:4', quality: 95 }).toBuffer(),
    ],
    ['an AVIF of 10 bits', () => opaque().avif({ bitdepth: 10, effort: 1, quality: 90 }).toBuffer()],
    ['a lossless WebP', () => opaque().webp({ lossless: true, effort: 0 }).toBuffer()],
  ];
  for (const [kind, create] of greens) {
    test(`in ${kind} keeps its colors`, async () => {
      const [r, g, b] = await look('odd', await create());
      assert.ok(g > r + 60 && g > b + 60, `${r}, ${g}, ${b}`);
    });
  }

  const greys: [kind: string, create: () => Promise<Buffer>][] = [
    ['a gray PNG of 16 bits', () => opaque().toColourspace('grey16').png().toBuffer()],
    ['a gray TIFF of 16 bits', () => opaque().toColourspace('grey16').tiff().toBuffer()],
    ['a gray JPEG', () => opaque().greyscale().jpeg().toBuffer()],
  ];
  for (const [kind, create] of greys) {
    test(`in ${kind} keeps its brightness`, async () => {
      const [r, g, b] = await look('gray', await create());
      assert.ok(r === g && g === b && g > 110 && g < 185, `${r}, ${g}, ${b}`);
    });
  }

  test('in a TIFF of one bit is black and white', async () => {
    const bits = await opaque().greyscale().threshold(100).tiff({ bitdepth: 1 }).toBuffer();
    assert.deepEqual(await look('bits.tif', bits), [255, 255, 255, 255]);
  });

  test('has a transparent color of a PNG without an alpha channel', async () => {
    const png = await opaque().png().toBuffer();
    const [, , , alpha] = await look('key.png', addTransparentColor(png, [30, 200, 30]));
    assert.equal(alpha, 0);
    const gray = await opaque().greyscale().toColourspace('b-w').png().toBuffer();
    const [sample] = await sharp(gray).extract({ left: 45, top: 10, width: 1, height: 1 }).raw().toBuffer();
    assert.equal((await look('gray-key.png', addTransparentColor(gray, [sample!])))[3], 0);
  });
});
