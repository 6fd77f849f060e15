/**
 * Colors that a file declares by numbers instead of an ICC profile. The expected values are those that Chromium shows
 * for the same numbers on a screen with sRGB.
 */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Sharp } from 'sharp';
import { thumbHashToAverageRGBA } from 'thumbhash';
import { sharp } from '../../../server/platform/imaging/worker/sharp.ts';
import {
  createOrientationExif,
  createPngChunk,
  encodePngFractions,
  encodeWithChunks,
  replaceCodedNumbers,
} from '../../support/color-files.ts';
import { createHeicGrid, createHeicTile } from '../../support/heic-tile.ts';
import {
  createColorNumbersProperty,
  createGridData,
  createHeifFile,
  createProfileProperty,
  createSizeProperty,
  encodeAv1,
  type HeifItem,
} from '../../support/heif-file.ts';
import { createFolder, edit, isNear, pixelAt, type Rgba, startImaging } from './pictures.ts';

const write = createFolder();
const imaging = startImaging();

type Rgb = [number, number, number];
const orange: Rgb = [200, 100, 50];
const blue: Rgb = [50, 100, 200];
const gray = (value: number): Rgb => [value, value, value];

const solid = ([r, g, b]: Rgb, side = 64): Sharp =>
  sharp({ create: { width: side, height: side, channels: 3, background: { r, g, b } } });

/** Numbers of primaries and transfer, a stored color, and the color that Chromium shows. */
const NUMBERS: [name: string, numbers: [number, number], stored: Rgb, shown: Rgb][] = [
  ['sRGB', [1, 13], orange, orange],
  ['unknown numbers', [2, 2], orange, orange],
  ['reserved numbers', [250, 250], orange, orange],
  ['Display P3', [12, 13], orange, [215, 93, 31]],
  ['Display P3', [12, 13], blue, [26, 101, 207]],
  ['DCI-P3', [11, 13], orange, [211, 93, 32]],
  ['BT.2020', [9, 13], orange, [241, 76, 29]],
  ['BT.2020', [9, 13], blue, [0, 103, 208]],
  ['NTSC', [6, 13], orange, [196, 102, 49]],
  ['PAL', [5, 13], blue, [46, 100, 199]],
  ['gamma 2.2', [1, 4], gray(64), gray(62)],
  ['linear light', [1, 8], gray(64), gray(137)],
  ['dark gray in PQ', [9, 16], gray(96), gray(70)],
  ['gray in PQ', [9, 16], gray(128), gray(132)],
  ['white paper in PQ', [9, 16], gray(148), gray(186)],
  ['a highlight in PQ', [9, 16], gray(176), gray(237)],
  ['the sun in PQ', [9, 16], gray(230), gray(255)],
  ['dark gray in HLG', [9, 18], gray(96), gray(71)],
  ['gray in HLG', [9, 18], gray(160), gray(135)],
  ['white paper in HLG', [9, 18], gray(192), gray(189)],
  ['a highlight in HLG', [9, 18], gray(224), gray(228)],
  ['Display P3 in PQ', [12, 16], gray(144), gray(175)],
];

suite('colors by numbers', () => {
  for (const [name, [primaries, transfer], stored, shown] of NUMBERS) {
    const title = `are converted like in a browser: ${name}, ${stored} becomes ${shown}`;
    test(`${title} (PNG)`, async () => {
      const png = await encodeWithChunks(solid(stored), [['cICP', [primaries, transfer, 0, 1]]]);
      await assertShown(write('cicp.png', png), shown, 4);
    });
    test(`${title} (AVIF)`, async () => {
      const avif = await createAvif(solid(stored), createColorNumbersProperty(primaries, transfer));
      await assertShown(write('nclx.avif', avif), shown, 6);
    });
  }

  test('of a HEIC are converted, with one tile and with several', async () => {
    const wide = createColorNumbersProperty(12, 13);
    const single = createHeifFile([createHeicTile('orange', wide)], [], 'heic');
    await assertShown(write('tile.heic', single), [215, 93, 31], 6);
    const grid = createHeicGrid(2, ['blue', 'blue', 'blue', 'blue'], wide);
    await assertShown(write('grid.heic', grid), [26, 101, 207], 6);
    const plain = createHeicGrid(2, ['blue', 'blue', 'blue', 'blue'], createColorNumbersProperty(1, 13));
    await assertShown(write('plain.heic', plain), blue, 6);
  });

  test('of an AVIF grid are converted', async () => {
    const wide = createColorNumbersProperty(12, 13);
    await assertShown(write('grid.avif', await createAvifGrid(solid(orange), [wide])), [215, 93, 31], 6);
    const byTiles = await createAvifGrid(solid(orange), [], [wide]);
    await assertShown(write('tiles.avif', byTiles), [215, 93, 31], 6);
  });

  test('in the coded data of an AVIF count if there is no color box', async () => {
    const avif = await createAvif(solid(orange));
    await assertShown(write('none.avif', avif), orange, 6);
    await assertShown(write('coded.avif', replaceCodedNumbers(avif, 12, 13)), [215, 93, 31], 6);
    await assertShown(
      write('coded.avif', replaceCodedNumbers(avif, 9, 16)),
      await showPng(orange, [9, 16]),
      8,
    );
  });

  test('beside a profile in an AVIF do not count', async () => {
    const profile = await readP3Profile();
    const numbers = createColorNumbersProperty(9, 16);
    for (const properties of [
      [numbers, createProfileProperty(profile)],
      [createProfileProperty(profile), numbers],
    ]) {
      await assertShown(write('both.avif', await createAvif(solid(orange), ...properties)), [215, 93, 31], 6);
    }
  });

  test('count before a profile in a PNG', async () => {
    const p3 = sharp(await solid(orange).png().toBuffer()).withIccProfile('p3');
    const png = await encodeWithChunks(p3, [['cICP', [1, 13, 0, 1]]]);
    const [stored] = await Promise.all([sharp(png, { ignoreIcc: true }).raw().toBuffer()]);
    await assertShown(write('both.png', png), [...stored.subarray(0, 3)] as Rgb, 3);
  });

  test('after the pixels of a PNG, or of an odd length, do not count', async () => {
    const png = await solid(orange).png().toBuffer();
    const late = Buffer.concat([
      png.subarray(0, -12),
      createPngChunk('cICP', [12, 13, 0, 1]),
      png.subarray(-12),
    ]);
    await assertShown(write('late.png', late), orange, 2);
    const odd = await encodeWithChunks(solid(orange), [['cICP', [12, 13, 0]]]);
    await assertShown(write('odd.png', odd), orange, 2);
  });
});

suite('colors by chromaticities and gamma in a PNG', () => {
  const p3 = encodePngFractions(0.3127, 0.329, 0.68, 0.32, 0.265, 0.69, 0.15, 0.06);
  const srgb = encodePngFractions(0.3127, 0.329, 0.64, 0.33, 0.3, 0.6, 0.15, 0.06);
  const CHUNKS: [name: string, chunks: [string, number[]][], shown: Rgb][] = [
    ['those of Display P3 are converted', [['cHRM', p3]], [215, 93, 31]],
    [
      'those of sRGB change nothing',
      [
        ['cHRM', srgb],
        ['gAMA', encodePngFractions(0.45455)],
      ],
      orange,
    ],
    ['a gamma of 1 is linear light', [['gAMA', encodePngFractions(1)]], [229, 168, 122]],
    ['a gamma of zero changes nothing', [['gAMA', encodePngFractions(0)]], orange],
    [
      'impossible ones change nothing',
      [['cHRM', encodePngFractions(0.3, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3)]],
      orange,
    ],
    ['zeros change nothing', [['cHRM', Array(32).fill(0)]], orange],
    ['the largest numbers change nothing', [['cHRM', Array(32).fill(255)]], orange],
    [
      'the chunk sRGB counts before them',
      [
        ['sRGB', [0]],
        ['cHRM', p3],
      ],
      orange,
    ],
  ];
  for (const [name, chunks, shown] of CHUNKS) {
    test(name, async () => {
      await assertShown(write('chrm.png', await encodeWithChunks(solid(orange), chunks)), shown, 3);
    });
  }
});

suite('a picture of 16 bits with a color profile', () => {
  for (const profile of ['srgb', 'p3'] as const) {
    test(`is not pale: ${profile}`, async () => {
      const deep = solid(orange, 640).toColourspace('rgb16').withIccProfile(profile);
      const file = write('deep.png', await deep.png().toBuffer());
      await assertShown(file, orange, 4);
      const size = { width: 640, height: 640, to: 320, isAnimated: false, format: 'jpg' } as const;
      const crop = { action: 'crop', params: { x: 0, y: 0, width: 320, height: 320 } } as const;
      for (const data of [await imaging.size(file, size, {}), (await edit(imaging, file, [crop])).image.data])
        assert.ok(isNear(await pixelAt(data, 0.5, 0.5), [...orange, 255], 4));
    });
  }
});

suite('a picture with colors by numbers', () => {
  const wide: [string, number[]][] = [['cICP', [12, 13, 0, 1]]];
  const shown: Rgb = [215, 93, 31];

  test('keeps its transparency', async () => {
    const png = await encodeWithChunks(solid(orange).ensureAlpha(0.5), wide);
    const { preview } = (await imaging.upload(write('alpha.png', png))).renditions;
    assert.ok(isNear(await pixelAt(preview.data, 0.5, 0.5), [...shown, 128], 5));
  });

  test('may have 16 bits, one channel, a palette or interlaced rows', async () => {
    const deep = solid(orange).toColourspace('rgb16').png();
    const kinds: [Sharp, Rgb][] = [
      [deep, shown],
      [solid(orange).png({ palette: true }), shown],
      [solid(orange).png({ progressive: true }), shown],
    ];
    for (const [image, expected] of kinds)
      await assertShown(write('kind.png', await encodeWithChunks(image, wide)), expected, 4);
    const one = solid(gray(128)).toColourspace('b-w').png();
    await assertShown(
      write('gray.png', await encodeWithChunks(one, [['cICP', [9, 16, 0, 1]]])),
      gray(132),
      4,
    );
  });

  test('may have 10 bits', async () => {
    const { data, configuration } = await encodeAv1(solid(gray(128)), { bitdepth: 10, quality: 90 });
    const numbers = createColorNumbersProperty(9, 16);
    const properties = [createSizeProperty(64), configuration, numbers];
    const avif = createHeifFile([{ type: 'av01', data, properties }]);
    await assertShown(write('deep.avif', avif), gray(132), 6);
  });

  test('is turned upright', async () => {
    const image = sharp(await solid(orange).extend({ right: 64, background: '#000' }).png().toBuffer());
    const png = await encodeWithChunks(image, [...wide, ['eXIf', [...createOrientationExif(6)]]]);
    const { inspection, renditions } = await imaging.upload(write('turned.png', png));
    assert.deepEqual([inspection.width, inspection.height], [64, 128]);
    assert.deepEqual([renditions.preview.width, renditions.preview.height], [64, 128]);
    assert.ok(isNear(await pixelAt(renditions.preview.data, 0.5, 0.25), [...shown, 255], 5));
    assert.ok(isNear(await pixelAt(renditions.preview.data, 0.5, 0.75), [0, 0, 0, 255], 5));
  });

  test('has the same colors in its full size, sizes, edits, avatar and placeholder', async () => {
    const file = write('all.png', await encodeWithChunks(solid(orange, 640), wide));
    const { renditions } = await imaging.upload(file, { full: true });
    const size = { width: 640, height: 640, to: 320, isAnimated: false } as const;
    const pictures = {
      full: renditions.full!.data,
      thumb: renditions.thumb.data,
      webp: await imaging.size(file, { ...size, format: 'webp' }, {}),
      jpg: await imaging.size(file, { ...size, format: 'jpg' }, {}),
      avatar: await imaging.avatar(file, {}),
      edit: (await edit(imaging, file, [{ action: 'resize', params: { width: 100 } }])).image.data,
    };
    for (const [name, data] of Object.entries(pictures))
      assert.ok(isNear(await pixelAt(data, 0.5, 0.5), [...shown, 255], 5), name);
    const { r, g, b } = thumbHashToAverageRGBA(Buffer.from(renditions.placeholder, 'base64'));
    const average = [r, g, b].map((value) => Math.round(value * 255));
    assert.ok(isNear([...average, 255] as Rgba, [...shown, 255], 12), `${average}`);
  });
});

/** Asserts the color in the middle of the preview, the thumbnail and the full size. */
async function assertShown(file: string, shown: Rgb, tolerance: number): Promise<void> {
  const { thumb, preview, full } = (await imaging.upload(file)).renditions;
  for (const [name, rendition] of Object.entries({ thumb, preview, full })) {
    if (!rendition) continue;
    const pixel = await pixelAt(rendition.data, 0.5, 0.5);
    assert.ok(isNear(pixel, [...shown, 255], tolerance), `${name}: ${pixel} is not ${shown}`);
  }
}

async function showPng(stored: Rgb, [primaries, transfer]: [number, number]): Promise<Rgb> {
  const png = await encodeWithChunks(solid(stored), [['cICP', [primaries, transfer, 0, 1]]]);
  const { preview } = (await imaging.upload(write('other.png', png))).renditions;
  return (await pixelAt(preview.data, 0.5, 0.5)).slice(0, 3) as Rgb;
}

async function readP3Profile(): Promise<Buffer> {
  const wide = await solid(orange).withIccProfile('p3').png().toBuffer();
  return (await sharp(wide).metadata()).icc!;
}

const fullColor = { quality: 95, chromaSubsampling: '4:4:4' };

async function createAvif(image: Sharp, ...properties: Buffer[]): Promise<Buffer> {
  const { data, configuration } = await encodeAv1(image, fullColor);
  return createHeifFile([
    { type: 'av01', data, properties: [createSizeProperty(64), configuration, ...properties] },
  ]);
}

async function createAvifGrid(image: Sharp, own: Buffer[], ofTiles: Buffer[] = []): Promise<Buffer> {
  const { data, configuration } = await encodeAv1(image, fullColor);
  const grid: HeifItem = {
    type: 'grid',
    data: createGridData(2, 2, 128),
    properties: [createSizeProperty(128), ...own],
  };
  const properties = [createSizeProperty(64), configuration, ...ofTiles];
  const tiles = Array.from({ length: 4 }, (): HeifItem => ({ type: 'av01', data, properties }));
  return createHeifFile([grid, ...tiles], [{ type: 'dimg', from: 1, to: [2, 3, 4, 5] }]);
}
