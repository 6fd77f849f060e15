/**
 * Tests that the server refuses metadata that costs a decoder far more than its size suggests, and accepts
 * metadata of ordinary programs.
 */
import { suite, test } from 'node:test';
import { readPictureStructure } from '../../../../server/platform/imaging/structure/read.ts';
import { createHeifFile, createSizeProperty, encodeSquare } from '../../../support/heif-file.ts';
import {
  createCompressedText,
  createCompressedXmp,
  createExifBlock,
  createExifSegment,
  createJpegWith,
  createPngChunk,
  createPngWith,
  createPointerLoopExif,
  createProfileSegment,
  createTaggedTiff,
  createWebpWith,
  type ExifEntry,
} from '../../../support/hostile-metadata.ts';
import { createFolder } from '../pictures.ts';
import { assertRefused } from './structures.ts';

const write = createFolder();

async function avifWithExif(block: Buffer): Promise<Buffer> {
  const { data, configuration } = await encodeSquare(64);
  const exif = Buffer.concat([Buffer.alloc(4), block]);
  return createHeifFile(
    [
      { type: 'av01', data, properties: [createSizeProperty(64), configuration] },
      { type: 'Exif', data: exif },
    ],
    [{ type: 'cdsc', from: 2, to: [1] }],
  );
}

const carriers: Record<string, (block: Buffer) => Promise<Buffer>> = {
  jpeg: (block) => createJpegWith(createExifSegment(block)),
  png: (block) => createPngWith(createPngChunk('eXIf', block)),
  webp: (block) => createWebpWith('EXIF', block),
  avif: avifWithExif,
};

suite('Exif in each container', () => {
  const text = (index: number): ExifEntry => [0x9000 + index, 2, 4, 0x41424344];
  const many = (count: number, entry: (index: number) => ExifEntry) =>
    Array.from({ length: count }, (_, i) => entry(i));
  const twice: ExifEntry[] = [
    [0x8769, 4, 1, 20],
    [0x8769, 4, 1, 20],
  ];
  const shared = many(100, (index) => [0x9000 + index, 7, 60_000, 8]);
  const BLOCKS: [name: string, block: Buffer, words: RegExp][] = [
    ['pointers that point at each other', createPointerLoopExif(60), /twice|refer to each other/],
    ['one pointer to itself', createExifBlock([[8, [[0x8769, 4, 1, 8]]]]), /refer to each other/],
    ['the same pointer twice', createExifBlock([[8, twice]]), /directory twice/],
    ['more entries than a camera writes', createExifBlock([[8, many(1_001, text)]]), /too many entries/],
    [
      'values that share their bytes',
      Buffer.concat([createExifBlock([[8, shared]]), Buffer.alloc(60_000)]),
      /repeats too many/,
    ],
  ];
  for (const [name, block, words] of BLOCKS) {
    for (const [format, carry] of Object.entries(carriers)) {
      if (format === 'jpeg' && block.length > 60_000) continue;
      test(`refuses ${name} in ${format}`, async () => {
        await assertRefused(write(`exif.${format}`, await carry(block)), words);
      });
    }
  }

  test('refuses several blocks of a JPEG that are too large together', async () => {
    const block = createExifSegment(createExifBlock([[8, many(300, text)]]));
    await assertRefused(
      write('blocks.jpg', await createJpegWith(block, block, block, block)),
      /too many entries/,
    );
  });

  test('accepts a thumbnail directory that is the first once more, and pointers that lead nowhere', async () => {
    const loop = createExifBlock([[8, [text(0)], 8]]);
    const lost = createExifBlock([
      [
        8,
        [
          [0x8825, 4, 1, 0],
          [0x8769, 4, 1, 4_000_000],
        ],
      ],
    ]);
    for (const block of [loop, lost]) {
      for (const [format, carry] of Object.entries(carriers))
        await readPictureStructure(write(`odd.${format}`, await carry(block)));
    }
  });
});

suite('texts of a PNG', () => {
  const MANY: [name: string, chunks: Buffer[]][] = [
    ['one text of 10 MB', [createCompressedText(10_000_000)]],
    ['texts that are large together', Array<Buffer>(20).fill(createCompressedText(500_000))],
    ['XMP of 10 MB', [createCompressedXmp(10_000_000)]],
    ['more texts than a program writes', Array<Buffer>(101).fill(createCompressedText(10))],
  ];
  for (const [name, chunks] of MANY) {
    test(`refuses ${name}`, async () => {
      await assertRefused(write('text.png', await createPngWith(...chunks)), /text chunks/);
    });
  }

  test('refuses a text that is damaged at its end', async () => {
    const text = createCompressedText(7_000_000);
    text.fill(255, text.length - 40, text.length - 4);
    const damagedTexts = Array<Buffer>(2).fill(text);
    await assertRefused(write('damaged.png', await createPngWith(...damagedTexts)), /text chunks/);
  });

  test('accepts those of an editor', async () => {
    const xmp = createCompressedXmp(100_000);
    const chunks = [
      xmp,
      ...Array<Buffer>(10).fill(createCompressedText(20_000)),
      createPngChunk('tEXt', Buffer.from('A\0B')),
    ];
    await readPictureStructure(write('editor.png', await createPngWith(...chunks)));
  });
});

suite('color profiles', () => {
  test('refuses hundreds of them in a JPEG', async () => {
    const segments = Array<Buffer>(250).fill(createProfileSegment(1, 1, Buffer.alloc(7_000)));
    await assertRefused(write('profiles.jpg', await createJpegWith(...segments)), /color profiles/);
  });

  test('refuses one that is larger than any', async () => {
    const parts = Array.from({ length: 80 }, (_, index) =>
      createProfileSegment(index + 1, 80, Buffer.alloc(60_000)),
    );
    await assertRefused(write('large.jpg', await createJpegWith(...parts)), /profile is too large/);
    await assertRefused(
      write('large.webp', await createWebpWith('ICCP', Buffer.alloc(5_000_000))),
      /profile is too large/,
    );
  });

  test('accepts that of a printer in its parts', async () => {
    const parts = Array.from({ length: 40 }, (_, index) =>
      createProfileSegment(index + 1, 40, Buffer.alloc(60_000)),
    );
    await readPictureStructure(write('printer.jpg', await createJpegWith(...parts)));
  });
});

suite('directories of a TIFF', () => {
  test('refuses thousands of unknown tags', async () => {
    await assertRefused(write('tags.tif', createTaggedTiff(1_000)), /too many entries/);
    await assertRefused(write('pages.tif', createTaggedTiff(240, 130)), /too many entries/, false);
  });

  test('refuses values that share their bytes, and pages that come back', async () => {
    const shared = Buffer.concat([createTaggedTiff(50), Buffer.alloc(1_000_000)]);
    const values = shared.indexOf(Buffer.from('409c0300', 'hex'));
    for (let tag = 0; tag < 50; tag++) {
      shared.writeUInt16LE(1, values + tag * 12 + 2);
      shared.writeUInt32LE(900_000, values + tag * 12 + 4);
      shared.writeUInt32LE(10_000, values + tag * 12 + 8);
    }
    await assertRefused(write('shared.tif', shared), /share their bytes/);
    const loop = createTaggedTiff(0, 3);
    loop.writeUInt32LE(loop.readUInt32LE(4), loop.length - 4);
    await assertRefused(write('loop.tif', loop), /refer back/);
  });

  test('accepts those of a document', async () => {
    await readPictureStructure(write('document.tif', createTaggedTiff(10, 900)));
    await readPictureStructure(write('private.tif', createTaggedTiff(200)));
  });

  test('refuses more strips than there are bytes', async () => {
    const tiff = createTaggedTiff(0);
    const rows = tiff.indexOf(Buffer.from('16010300', 'hex'));
    const height = tiff.indexOf(Buffer.from('01010300', 'hex'));
    tiff.writeUInt16LE(60_000, height + 8);
    tiff.writeUInt16LE(1, rows + 8);
    await assertRefused(write('strips.tif', tiff), /strips/);
  });
});
