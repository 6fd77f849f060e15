/** HEIC and AVIF of many tiles, turned and mirrored by their boxes. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { ImageFormat } from '../../../server/platform/imaging/formats.ts';
import {
  createHeicGrid,
  createHeicTile,
  createMirrorProperty,
  createRotationProperty,
  type HeicTileColor,
  heicTileColors,
} from '../../support/heic-tile.ts';
import { createGridData, createHeifFile, createSizeProperty, encodeAv1 } from '../../support/heif-file.ts';
import { createSolid } from '../../support/hostile-pictures.ts';
import { createFolder, edit, isNear, pixelAt, type Rgba, startImaging } from './pictures.ts';

const write = createFolder();
const imaging = startImaging();

const rgba = (color: HeicTileColor): Rgba => [...heicTileColors[color], 255];

/** Returns tiles in which only the first one and the last one are blue. */
function createColors(count: number): HeicTileColor[] {
  return Array.from({ length: count }, (_, index) =>
    index === 0 || index === count - 1 ? 'blue' : 'orange',
  );
}

suite('a HEIC of many tiles', () => {
  const GRIDS: [columns: number, rows: number][] = [
    [1, 1],
    [8, 8],
    [13, 5],
    [12, 9],
    [16, 12],
    [16, 15],
  ];
  for (const [columns, rows] of GRIDS) {
    test(`is decoded whole: ${columns * rows} tiles`, async () => {
      const heic = createHeicGrid(columns, createColors(columns * rows));
      const { inspection, renditions } = await imaging.upload(write('grid.heic', heic));
      assert.deepEqual([inspection.width, inspection.height], [columns * 64, rows * 64]);
      const { data } = renditions.full!;
      const inside = [0.5 / columns, 0.5 / rows] as const;
      assert.ok(isNear(await pixelAt(data, ...inside), rgba('blue'), 8), 'first tile');
      assert.ok(isNear(await pixelAt(data, 1 - inside[0], 1 - inside[1]), rgba('blue'), 8), 'last tile');
      if (columns * rows > 2)
        assert.ok(isNear(await pixelAt(data, 1 - inside[0], inside[1]), rgba('orange'), 8), 'first row');
    });
  }

  test('is refused if a tile is missing', async () => {
    const heic = createHeicGrid(12, createColors(108));
    await assert.rejects(imaging.upload(write('cut.heic', heic.subarray(0, -40))), /damaged/);
  });

  test('can be edited', async () => {
    const file = write('grid.heic', createHeicGrid(12, createColors(108)));
    const steps = [{ action: 'crop', params: { x: 0, y: 0, width: 64, height: 64 } } as const];
    const { image } = await edit(imaging, file, steps, { upright: { width: 768, height: 576 } });
    assert.ok(isNear(await pixelAt(image.data, 0.5, 0.5), rgba('blue'), 8));
  });
});

suite('an AVIF of many tiles', () => {
  for (const [columns, rows] of [
    [12, 9],
    [16, 12],
  ] as const) {
    test(`is decoded whole: ${columns * rows} tiles`, async () => {
      const { data, configuration } = await encodeAv1(createSolid({ width: 64, height: 64 }), {});
      const count = columns * rows;
      const [width, height] = [columns * 64, rows * 64];
      const grid = {
        type: 'grid',
        data: createGridData(rows, columns, width, height),
        properties: [createSizeProperty(width, height)],
      };
      const properties = [createSizeProperty(64), configuration];
      const tiles = Array.from({ length: count }, () => ({ type: 'av01', data, properties }));
      const to = tiles.map((_, index) => index + 2);
      const avif = createHeifFile([grid, ...tiles], [{ type: 'dimg', from: 1, to }]);
      const { inspection, renditions } = await imaging.upload(write('grid.avif', avif));
      assert.deepEqual([inspection.width, inspection.height], [width, height]);
      for (const at of [0.01, 0.5, 0.99])
        assert.ok(isNear(await pixelAt(renditions.full!.data, at, at), [90, 140, 60, 255], 12), `${at}`);
    });
  }
});

suite('a HEIC that its boxes turn or mirror', () => {
  /** The corner, as fractions of the sides, in which the blue tile at the top left appears. */
  const TURNED: [name: string, properties: Buffer[], corner: [number, number], isUpright: boolean][] = [
    ['no box', [], [0.1, 0.1], true],
    ['a quarter', [createRotationProperty(1)], [0.1, 0.9], false],
    ['half a turn', [createRotationProperty(2)], [0.9, 0.9], true],
    ['three quarters', [createRotationProperty(3)], [0.9, 0.1], false],
    ['top and bottom swapped', [createMirrorProperty(0)], [0.1, 0.9], true],
    ['left and right swapped', [createMirrorProperty(1)], [0.9, 0.1], true],
    ['a quarter, then mirrored', [createRotationProperty(1), createMirrorProperty(1)], [0.9, 0.9], false],
  ];
  for (const [name, properties, [x, y], isUpright] of TURNED) {
    test(`is shown as the boxes say: ${name}`, async () => {
      const colors: HeicTileColor[] = ['blue', 'orange', 'orange', 'orange', 'orange', 'orange'];
      const heic = createHeicGrid(3, colors, ...properties);
      const { inspection, renditions } = await imaging.upload(write('turned.heic', heic));
      const size = isUpright ? [192, 128] : [128, 192];
      assert.deepEqual([inspection.width, inspection.height, inspection.orientation], [...size, 1]);
      for (const { data, width, height } of [renditions.thumb, renditions.preview, renditions.full!]) {
        assert.deepEqual([width, height], size);
        assert.ok(isNear(await pixelAt(data, x, y), rgba('blue'), 10), 'the blue corner');
        assert.ok(isNear(await pixelAt(data, 1 - x, 1 - y), rgba('orange'), 10), 'the opposite corner');
      }
    });
  }

  test('has formats that browsers show', async () => {
    const format: ImageFormat = (
      await imaging.upload(write('tile.heic', createHeifFile([createHeicTile('blue')], [], 'heic')))
    ).renditions.full!.format;
    assert.equal(format, 'jpeg');
  });
});
