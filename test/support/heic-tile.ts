/** A HEIC tile of 64 by 64 pixels, because no npm package writes HEIC. The encoder was x265 in heif-enc. */
import { createBox, createGridData, createHeifFile, createSizeProperty, type HeifItem } from './heif-file.ts';

export const heicTileSide = 64;

/** Color of each tile in RGB. */
export const heicTileColors = { orange: [200, 100, 50], blue: [50, 100, 200] } as const;
export type HeicTileColor = keyof typeof heicTileColors;

const size = createSizeProperty(heicTileSide);
const configuration = Buffer.from(
  [
    'AAAAd2h2Y0MBBAgAAAAAAAAAAAAe8AD8//j4AAAPAyAAAQAXQAEMAf//BAgAAAMAnjgAAAMAAB66AkAhAAEAKkIBAQQIAAAD',
    'AJ44AAADAAAekAQQILLdSSU1zcCAgYEAAAMAAQAAAwABCCIAAQAIRAHBcoYMAiQ=',
  ].join(''),
  'base64',
);
const data: Record<HeicTileColor, Buffer> = {
  orange: Buffer.from('AAAAGSgBrwa4Y7Dc/cQf//7+Dvof2R9J/4iNoP8=', 'base64'),
  blue: Buffer.from('AAAAGigBrwa4Y7Dc/7nI/3v8y6P//wDGn/iI2g/w', 'base64'),
};

/** Creates the item of a tile, with additional properties. */
export function createHeicTile(color: HeicTileColor, ...properties: Buffer[]): HeifItem {
  return { type: 'hvc1', data: data[color], properties: [size, configuration, ...properties] };
}

/** Creates a HEIC whose tiles form a grid, in the order of the rows. `properties` belong to the whole picture. */
export function createHeicGrid(columns: number, colors: HeicTileColor[], ...properties: Buffer[]): Buffer {
  const rows = colors.length / columns;
  const [width, height] = [columns * heicTileSide, rows * heicTileSide];
  const grid: HeifItem = {
    type: 'grid',
    data: createGridData(rows, columns, width, height),
    properties: [createSizeProperty(width, height), ...properties],
  };
  const tiles = colors.map((color) => createHeicTile(color));
  const to = tiles.map((_, index) => index + 2);
  return createHeifFile([grid, ...tiles], [{ type: 'dimg', from: 1, to }], 'heic');
}

/** Returns a property that turns the picture by quarters of a circle, against the clock. */
export function createRotationProperty(quarters: number): Buffer {
  return createBox('irot', Buffer.from([quarters]));
}

/** Returns a property that mirrors the picture: 0 swaps top and bottom, 1 swaps left and right. */
export function createMirrorProperty(axis: 0 | 1): Buffer {
  return createBox('imir', Buffer.from([axis]));
}
