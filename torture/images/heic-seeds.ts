/**
 * Creates small HEIC files from the tiles of a large one, because no npm package writes HEIC and large files
 * take seconds.
 */
import { readFileSync } from 'node:fs';
import { withByteWindow } from '../../server/platform/imaging/clean/byte-window.ts';
import { type HeifFileItem, readHeifItems } from '../../server/platform/imaging/structure/heif/items.ts';
import {
  createBox,
  createGridData,
  createHeifFile,
  createSizeProperty,
  type HeifItem,
} from '../../test/support/heif-file.ts';

/** Returns a file of one tile, and a grid of four tiles, each with the original's tile settings. */
export async function smallHeics(file: string): Promise<[name: string, bytes: Buffer][]> {
  const whole = readFileSync(file);
  const { primary, byId } = await withByteWindow(file, readHeifItems);
  const parts =
    byId
      .get(primary)
      ?.parts.slice(0, 4)
      .map((id) => toHeifItem(whole, byId.get(id)!)) ?? [];
  const [first] = parts;
  if (!first || parts.length < 4) return [];
  const grid: HeifItem = {
    type: 'grid',
    data: createGridData(2, 2, 1_024),
    properties: [createSizeProperty(1_024)],
  };
  const to = parts.map((_, index) => index + 2);
  return [
    ['heic, one tile', createHeifFile([first], [], 'heic')],
    ['heic, grid of four', createHeifFile([grid, ...parts], [{ type: 'dimg', from: 1, to }], 'heic')],
  ];
}

function toHeifItem(whole: Buffer, { type, properties, extents }: HeifFileItem): HeifItem {
  return {
    type,
    data: Buffer.concat(extents.map(({ start, end }) => whole.subarray(start, end))),
    properties: properties
      .filter(({ type }) => type === 'hvcC' || type === 'ispe')
      .map((property) => createBox(property.type, property.data)),
  };
}
