/** Undamaged pictures of every accepted format, generated here or taken from the corpus if available. */
import { readFileSync, statSync } from 'node:fs';
import sharp from 'sharp';
import {
  formatSniffBytes,
  type ImageFormat,
  imageFormats,
  sniffImageFormat,
} from '../../server/platform/imaging/formats.ts';
import { corpus, withoutCorpus } from '../../test/platform/imaging/corpus.ts';
import {
  createAlphaProperty,
  createGridData,
  createHeifFile,
  createSizeProperty,
  encodeSquare,
  type HeifItem,
} from '../../test/support/heif-file.ts';
import {
  createCompressedText,
  createCompressedXmp,
  createPngChunk,
  createPngWith,
} from '../../test/support/hostile-metadata.ts';
import { createManyDirectoryTiff } from '../../test/support/hostile-pictures.ts';
import { createAnimation, createJpegWithExif, createLandmarks } from '../../test/support/pictures.ts';
import { smallHeics } from './heic-seeds.ts';

export interface Seed {
  name: string;
  bytes: Buffer;
}

export interface FormatSeeds {
  format: ImageFormat;
  made: Seed[];
  /** Undamaged pictures from the corpus. */
  found: Seed[];
}

/** Maximum bytes of a picture; larger ones would be sent less often. */
const maxBytes = 200_000;

/** Returns pictures by format, without formats that have none: HEIC needs the corpus. */
export async function readSeeds(): Promise<FormatSeeds[]> {
  const [made, found] = [await makeSeeds(), withoutCorpus ? [] : readCorpus()];
  return (Object.keys(imageFormats) as ImageFormat[])
    .map((format) => ({ format, made: ofFormat(made, format), found: ofFormat(found, format) }))
    .filter(({ made, found }) => made.length + found.length > 0);
}

const ofFormat = (seeds: Seed[], format: ImageFormat) =>
  seeds.filter(({ bytes }) => sniffImageFormat(bytes.subarray(0, formatSniffBytes)) === format);

async function makeSeeds(): Promise<Seed[]> {
  const picture = await createLandmarks(96, 64);
  const plain = () => sharp(picture);
  const described = () =>
    plain()
      .withMetadata()
      .withXmp(xmp)
      .withExif({ IFD0: { Make: 'Canon', Copyright: 'x'.repeat(300) } });
  const made: [string, Promise<Buffer> | Buffer][] = [
    ['jpeg', described().withIccProfile('p3').jpeg().toBuffer()],
    [
      'jpeg, progressive, turned',
      plain().withMetadata({ orientation: 6 }).jpeg({ progressive: true }).toBuffer(),
    ],
    ['jpeg, grey', plain().greyscale().jpeg().toBuffer()],
    ['jpeg, cmyk', plain().toColourspace('cmyk').jpeg().toBuffer()],
    ['jpeg with exif and a place', createJpegWithExif()],
    ['png', described().withIccProfile('p3').png().toBuffer()],
    ['png with compressed texts', createPngWith(createCompressedText(2_000), createCompressedXmp(3_000))],
    ['png, colors by numbers', withColorNumbers(await plain().toColourspace('rgb16').png().toBuffer())],
    ['png, interlaced, 16 bit', plain().toColourspace('rgb16').png({ progressive: true }).toBuffer()],
    ['png, palette', plain().png({ palette: true }).toBuffer()],
    ['gif', plain().gif().toBuffer()],
    ['gif, animated', createAnimation(4)],
    ['webp', described().withIccProfile('p3').webp().toBuffer()],
    ['webp, lossless, alpha', plain().ensureAlpha(0.5).webp({ lossless: true }).toBuffer()],
    [
      'webp, animated',
      createAnimation(3).then((bytes) => sharp(bytes, { animated: true }).webp().toBuffer()),
    ],
    ['avif', described().avif({ effort: 0 }).toBuffer()],
    ['avif, alpha', plain().ensureAlpha(0.5).avif({ effort: 0 }).toBuffer()],
    ['avif, grid with alpha', gridWithAlpha()],
    ['tiff, lzw', described().tiff({ compression: 'lzw' }).toBuffer()],
    [
      'tiff, deflate, tiled',
      plain().tiff({ compression: 'deflate', tile: true, tileWidth: 32, tileHeight: 32 }).toBuffer(),
    ],
    ['tiff, jpeg, pyramid', plain().tiff({ compression: 'jpeg', pyramid: true, tile: true }).toBuffer()],
    ['tiff, directories', createManyDirectoryTiff(5)],
    ...(await heics()),
  ];
  return Promise.all(made.map(async ([name, bytes]) => ({ name, bytes: await bytes })));
}

/** Adds the chunks that declare wide colors without a profile. */
function withColorNumbers(png: Buffer): Buffer {
  const chromaticity = Buffer.alloc(32);
  for (const [index, value] of [31270, 32900, 68000, 32000, 26500, 69000, 15000, 6000].entries())
    chromaticity.writeUInt32BE(value, index * 4);
  const chunks = [
    createPngChunk('cICP', Buffer.from([12, 13, 0, 1])),
    createPngChunk('cHRM', chromaticity),
    createPngChunk('gAMA', Buffer.from([0, 0, 0xb1, 0x8f])),
  ];
  const afterHeader = 33;
  return Buffer.concat([png.subarray(0, afterHeader), ...chunks, png.subarray(afterHeader)]);
}

/** Returns a grid of four tiles of 64 × 64 pixels with an alpha channel for the whole. */
async function gridWithAlpha(): Promise<Buffer> {
  const [tile, whole] = await Promise.all([encodeSquare(64), encodeSquare(128)]);
  const items: HeifItem[] = [
    { type: 'grid', data: createGridData(2, 2, 128), properties: [createSizeProperty(128)] },
    { type: 'av01', data: tile.data, properties: [createSizeProperty(64), tile.configuration] },
    {
      type: 'av01',
      data: whole.data,
      properties: [createSizeProperty(128), whole.configuration, createAlphaProperty()],
    },
  ];
  return createHeifFile(items, [
    { type: 'dimg', from: 1, to: [2, 2, 2, 2] },
    { type: 'auxl', from: 3, to: [1] },
  ]);
}

function heics(): Promise<[string, Buffer][]> | [] {
  const large = corpus.find(({ kind, path }) => kind === 'photo' && path.endsWith('.heic'));
  return large ? smallHeics(large.file) : [];
}

const xmp = `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"
dc:creator="a person"/></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`;

function readCorpus(): Seed[] {
  return corpus
    .filter(({ file }) => statSync(file).size <= maxBytes)
    .map(({ path, file }) => ({ name: path.split('/').at(-1)!, bytes: readFileSync(file) }));
}
