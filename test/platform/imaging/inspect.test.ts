import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ImageError } from '../../../server/platform/imaging/errors.ts';
import { sharp } from '../../../server/platform/imaging/worker/sharp.ts';
import { readThreadMs } from '../../support/thread-time.ts';
import { corpus, withoutCorpus } from './corpus.ts';
import { createAnimation, createFolder, createQuarters, inspect, pngHeader } from './pictures.ts';

const write = createFolder();

suite('inspect', () => {
  const opaque = () => createQuarters(60, 40).removeAlpha();
  const PICTURES: [name: string, data: () => Promise<Buffer>, expected: object][] = [
    [
      'jpeg',
      () => opaque().jpeg().toBuffer(),
      { format: 'jpeg', mime: 'image/jpeg', extension: 'jpg', hasAlpha: false },
    ],
    ['png', () => createQuarters(60, 40).png().toBuffer(), { format: 'png', hasAlpha: true }],
    ['webp', () => opaque().webp().toBuffer(), { format: 'webp', hasAlpha: false }],
    ['avif', () => opaque().avif({ effort: 0 }).toBuffer(), { format: 'avif', mime: 'image/avif' }],
    ['tiff', () => opaque().tiff().toBuffer(), { format: 'tiff', extension: 'tif' }],
    ['gif', () => createAnimation('gif', 60, 40, 4), { format: 'gif', frames: 4 }],
    ['animated webp', () => createAnimation('webp', 60, 40, 3), { format: 'webp', frames: 3 }],
  ];
  for (const [name, data, expected] of PICTURES) {
    test(`reads the format of ${name} from its bytes`, async () => {
      const inspection = await inspect(write('picture.svg', await data()));
      assert.partialDeepStrictEqual(inspection, {
        width: 60,
        height: 40,
        orientation: 1,
        frames: 1,
        ...expected,
      });
    });
  }

  test('reads the upright size', async () => {
    const turned = await opaque().withMetadata({ orientation: 8 }).jpeg().toBuffer();
    assert.partialDeepStrictEqual(await inspect(write('turned.jpg', turned)), {
      width: 40,
      height: 60,
      orientation: 8,
    });
  });
});

suite('inspect', () => {
  const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>';
  const REFUSED: [name: string, data: Buffer][] = [
    ['nothing', Buffer.alloc(0)],
    ['one byte', Buffer.from([0xff])],
    ['svg', Buffer.from(SVG)],
    ['svg behind a declaration', Buffer.from(`<?xml version="1.0"?>${SVG}`)],
    ['pdf', Buffer.from('%PDF-1.7\n%âãÏÓ')],
    ['html with the magic of gif', Buffer.from(`GIF89a<html>${SVG}</html>`)],
    ['an image sequence', Buffer.from('\0\0\0\x1cftypavis\0\0\0\0avifmif1miaf', 'latin1')],
    ['a video', Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom', 'latin1')],
  ];
  for (const [name, data] of REFUSED) {
    test(`refuses ${name}`, async () => {
      await assert.rejects(inspect(write('refused.png', data)), isRefusal('format'));
    });
  }

  test('refuses camera raw files, of which sharp would show the small preview', async () => {
    const tiff = await createQuarters(60, 40).removeAlpha().tiff({ compression: 'none' }).toBuffer();
    const raw = withDngVersion(tiff);
    assert.equal((await sharp(raw).metadata()).width, 60, 'sharp decodes it');
    await assert.rejects(inspect(write('raw.dng', raw)), isRefusal('format'));
  });

  const BOMBS: [name: string, data: Buffer][] = [
    ['221 megapixels', pngHeader(221_000, 1_000, 0)],
    ['TIFF with more pages than a document has', tiffChain(1_001)],
    ['TIFF whose pages come back to the first', tiffChain(3, 8)],
    ['half a gigabyte of interlaced pixels', pngHeader(8_000, 8_000, 1)],
    ['one frame too many', manyFrames(1_001, 1)],
    ['more than 250 megapixels over all frames', manyFrames(251, 1_000)],
  ];
  for (const [name, data] of BOMBS) {
    test(`refuses ${name} at once and without decoding`, async () => {
      const file = write('bomb', data);
      const before = process.memoryUsage().rss;
      const start = readThreadMs();
      await assert.rejects(inspect(file), isRefusal('too-large'));
      assert.ok(readThreadMs() - start < 100, 'at once');
      assert.ok(process.memoryUsage().rss - before < 30e6, 'without decoding');
    });
  }
});

suite('inspect and the corpus', { skip: withoutCorpus }, () => {
  test('agree on the upright size of every photo', async () => {
    for (const { file, path, display } of corpus.filter(({ kind }) => kind === 'photo')) {
      const { width, height } = await inspect(file);
      assert.deepEqual({ width, height }, display, path);
    }
  });

  test('agree on what is no photo', async () => {
    for (const { file } of corpus.filter(({ kind }) => kind === 'unsupported')) {
      await assert.rejects(inspect(file), isRefusal('format'));
    }
  });
});

function isRefusal(reason: string) {
  return (error: unknown) => {
    assert.ok(error instanceof ImageError, String(error));
    assert.equal(error.reason, reason);
    assert.doesNotMatch(error.message, /sharp|vips|\/tmp/i, 'nothing of the inside is public');
    return true;
  };
}

/** Creates a GIF with one-pixel frames on a square canvas with sides of `side` pixels. */
function manyFrames(frames: number, side: number): Buffer {
  const head = Buffer.from('GIF89a\0\0\0\0\x80\0\0\0\0\0\xff\xff\xff', 'latin1');
  head.writeUInt16LE(side, 6);
  head.writeUInt16LE(side, 8);
  const frame = Buffer.from('21f90400000000002c000000000100010000 02024401 00'.replaceAll(' ', ''), 'hex');
  return Buffer.concat([head, ...Array<Buffer>(frames).fill(frame), Buffer.from([0x3b])]);
}

/** Replaces the last tag of a TIFF by the DNG version tag. */
function withDngVersion(tiff: Buffer): Buffer {
  const directory = tiff.readUInt32LE(4);
  const last = directory + 2 + (tiff.readUInt16LE(directory) - 1) * 12;
  const dng = Buffer.from(tiff);
  dng.writeUInt16LE(0xc612, last);
  dng.writeUInt16LE(1, last + 2);
  dng.writeUInt32LE(4, last + 4);
  return dng;
}

/**
 * Creates a TIFF with `pages` empty directories, each pointing to the next. The last directory points to
 * `end`.
 */
function tiffChain(pages: number, end = 0): Buffer {
  const tiff = Buffer.alloc(8 + pages * 6);
  tiff.write('II*\0', 'latin1');
  tiff.writeUInt32LE(8, 4);
  for (let page = 1; page <= pages; page++) {
    tiff.writeUInt32LE(page === pages ? end : 8 + page * 6, 8 + page * 6 - 4);
  }
  return tiff;
}
