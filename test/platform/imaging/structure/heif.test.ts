/**
 * Tests that the server refuses HEIC and AVIF files whose hidden parts are larger than the visible picture.
 */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { readPictureStructure } from '../../../../server/platform/imaging/structure/read.ts';
import {
  createAlphaProperty,
  createBox,
  createGridData,
  createHeifFile,
  createSizeProperty,
  encodeSquare,
  type HeifItem,
  type HeifReference,
} from '../../../support/heif-file.ts';
import { corpusFile, withoutCorpus } from '../corpus.ts';
import { createFolder, inspect } from '../pictures.ts';
import { assertRefused } from './structures.ts';

const write = createFolder();

/** Squares that are encoded once for all tests. */
const smallSquare = encodeSquare(64);
const mediumSquare = encodeSquare(1_024);
const largeSquare = encodeSquare(2_100);

/** Creates an AV1 item with the given square that declares another size. */
async function coded(square: typeof smallSquare, said: number, ...properties: Buffer[]): Promise<HeifItem> {
  const { data, configuration } = await square;
  return { type: 'av01', data, properties: [createSizeProperty(said), configuration, ...properties] };
}

function grid(rows: number, columns: number, side: number): HeifItem {
  return { type: 'grid', data: createGridData(rows, columns, side), properties: [createSizeProperty(side)] };
}

const alphaReference: HeifReference = { type: 'auxl', from: 2, to: [1] };
const tileReferences = (count: number): HeifReference => ({
  type: 'dimg',
  from: 1,
  to: Array<number>(count).fill(2),
});

suite('an AVIF is refused', () => {
  test('when its transparency is larger than it, by its data and by what it says', async () => {
    const picture = await coded(smallSquare, 64);
    const lying = createHeifFile(
      [picture, await coded(largeSquare, 32, createAlphaProperty())],
      [alphaReference],
    );
    await assertRefused(write('alpha.avif', lying), /more pixels than it shows/);
    const large = createHeifFile(
      [picture, await coded(smallSquare, 2_100, createAlphaProperty())],
      [alphaReference],
    );
    await assertRefused(write('said.avif', large), /more pixels than it shows/);
  });

  test('when its grid shows a corner of its tiles', async () => {
    const tile = await coded(largeSquare, 2_100);
    await assertRefused(
      write('g.avif', createHeifFile([grid(1, 2, 64), tile], [tileReferences(2)])),
      /more pixels than it shows/,
    );
    const many = createHeifFile([grid(16, 16, 64), await coded(mediumSquare, 1_024)], [tileReferences(256)]);
    await assertRefused(write('many.avif', many), /more pixels than it shows/);
  });

  test('when its canvas is larger than it says', async () => {
    const tile = await coded(smallSquare, 64);
    const wide = { ...grid(1, 1, 20_000), properties: [createSizeProperty(64)] };
    await assertRefused(
      write('wide.avif', createHeifFile([wide, tile], [tileReferences(1)])),
      /more pixels than it shows/,
      false,
    );
  });

  test('when its data has picture after picture', async () => {
    const { data, configuration } = await mediumSquare;
    const again = Buffer.concat(Array<Buffer>(8).fill(data));
    const file = createHeifFile([
      { type: 'av01', data: again, properties: [createSizeProperty(1_024), configuration] },
    ]);
    await assertRefused(write('frames.avif', file), /more pixels than it shows/);
  });

  test('when its items are made of each other', async () => {
    const loop = createHeifFile(
      [grid(1, 1, 64), grid(1, 1, 64)],
      [
        { type: 'dimg', from: 1, to: [2] },
        { type: 'dimg', from: 2, to: [1] },
      ],
    );
    await assertRefused(write('loop.avif', loop), /made of each other/, false);
    const picture = await coded(smallSquare, 64);
    const alphas = createHeifFile(
      [picture, await coded(smallSquare, 64, createAlphaProperty())],
      [alphaReference, { type: 'auxl', from: 1, to: [2] }],
    );
    await assertRefused(write('alphas.avif', alphas), /made of each other/, false);
  });

  test('when its metadata is compressed, or the same bytes again and again', async () => {
    const picture = await coded(smallSquare, 64);
    const packed = { type: 'mime', data: Buffer.alloc(64), info: 'application/rdf+xml\0deflate\0' };
    const described = [{ type: 'cdsc', from: 2, to: [1] }];
    await assertRefused(
      write('packed.avif', createHeifFile([picture, packed], described)),
      /compressed/,
      false,
    );
    const extents = Array<[number, number]>(30).fill([0, 500]);
    const shared: HeifItem = { type: 'mime', info: 'application/rdf+xml\0\0', extents };
    await assertRefused(
      write('shared.avif', createHeifFile([picture, shared], described)),
      /share their bytes/,
    );
  });

  test('when it is turned again and again', async () => {
    const turn = () => createBox('irot', Buffer.from([1]));
    await readPictureStructure(write('turned.avif', createHeifFile([await coded(smallSquare, 64, turn())])));
    const turns = createHeifFile([await coded(smallSquare, 64, turn(), turn())]);
    await assertRefused(write('turns.avif', turns), /irot twice/);
  });

  test('when it has a table twice', async () => {
    const file = createHeifFile([await coded(smallSquare, 64)]);
    const second = Buffer.concat([file, createBox('meta', Buffer.alloc(4))]);
    await assertRefused(write('twice.avif', second), /two boxes/, false);
  });

  test('when it has too many items or boxes', async () => {
    const picture = await coded(smallSquare, 64);
    const items = Array.from({ length: 2_100 }, (): HeifItem => ({ type: 'mime', info: 'a/b\0\0' }));
    await assertRefused(write('items.avif', createHeifFile([picture, ...items])), /too many boxes/, false);
    const boxes = Array.from({ length: 2_100 }, () => createBox('free'));
    await assertRefused(
      write('boxes.avif', Buffer.concat([createHeifFile([picture]), ...boxes])),
      /too many boxes/,
      false,
    );
  });
});

suite('an AVIF is accepted', () => {
  test('when it has transparency of its size, and a grid that just covers it', async () => {
    const picture = await coded(mediumSquare, 1_024);
    const alpha = await coded(mediumSquare, 1_024, createAlphaProperty());
    const file = write('alpha.avif', createHeifFile([picture, alpha], [alphaReference]));
    assert.partialDeepStrictEqual(await readPictureStructure(file), {
      decodedPixels: 2 * 1_024 ** 2,
      hasAlpha: true,
    });
    assert.partialDeepStrictEqual(await inspect(file), { width: 1_024, hasAlpha: true });

    const tiles = write(
      'tiles.avif',
      createHeifFile([grid(2, 2, 2_000), await coded(mediumSquare, 1_024)], [tileReferences(4)]),
    );
    assert.partialDeepStrictEqual(await readPictureStructure(tiles), {
      width: 2_000,
      decodedPixels: 4 * 1_024 ** 2,
    });
    assert.equal((await inspect(tiles)).width, 2_000);
  });

  test('when it is small and has one tile of a usual size', async () => {
    const tile = await coded(mediumSquare, 1_024);
    const file = write('one.avif', createHeifFile([grid(1, 1, 100), tile], [tileReferences(1)]));
    assert.equal((await readPictureStructure(file)).decodedPixels, 1_024 ** 2);
  });
});

suite('a HEIC', { skip: withoutCorpus }, () => {
  test('counts its tiles and what belongs to it, by the sizes in its coded data', async () => {
    const structure = await readPictureStructure(corpusFile('photos/formats/iphone_13_pro_max_o6.heic'));
    assert.deepEqual(structure, {
      format: 'heic',
      width: 4_032,
      height: 3_024,
      frames: 1,
      decodedPixels: 48 * 512 ** 2 + 2_016 * 1_512 + 16_128,
      sampleBytes: 3,
      isProgressive: false,
      hasAlpha: false,
    });
  });
});
