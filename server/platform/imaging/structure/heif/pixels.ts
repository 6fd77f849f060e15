import type { ByteWindow } from '../../clean/byte-window.ts';
import { structureBounds } from '../bounds.ts';
import { joinByteExtents } from '../extents.ts';
import { createAmountLimit, damagedFileError } from '../refusals.ts';
import { readAv1Units } from './av1.ts';
import type { CodedPictures } from './coded.ts';
import { readHevcUnits } from './hevc.ts';
import type { HeifFileItem, HeifItems } from './items.ts';

interface Size {
  width: number;
  height: number;
}

/**
 * Returns the largest size that an item declares (`ispe`), before rotation and cropping. 0 by 0 if the item declares
 * none.
 */
export function getHeifItemSize(item: HeifFileItem): Size {
  const sizes = item.properties
    .filter(({ type, data }) => type === 'ispe' && data.length >= 12)
    .map(({ data }) => ({ width: data.readUInt32BE(4), height: data.readUInt32BE(8) }));
  return sizes.reduce((one, other) => (computeArea(other) > computeArea(one) ? other : one), {
    width: 0,
    height: 0,
  });
}

const computeArea = ({ width, height }: Size): number => width * height;

/**
 * Types of items composed of other items on a canvas: a grid or an overlay. The data of such an item contains the
 * canvas size.
 */
const canvasTypes = ['grid', 'iovl'];
const derivedTypes = [...canvasTypes, 'iden', 'tmap'];
const codecs = ['av01', 'hvc1', 'hev1'];

/**
 * Returns a function that adds up the pixels of all coded items reached from an item. Repeated parts and auxiliary
 * items count, too. Throws ImageError ('format') for loops, missing parts and unknown codecs.
 */
export function createHeifPixelSum(bytes: ByteWindow, { byId }: HeifItems): (id: number) => Promise<number> {
  const countUnit = createAmountLimit(structureBounds.codedUnits, 'it has too many parts');
  const sums = new Map<number, number>();

  async function sum(id: number, depth = 0): Promise<number> {
    const known = sums.get(id);
    if (known !== undefined) return known;
    const item = byId.get(id);
    if (!item) throw damagedFileError('a part that is not there');
    if (depth > structureBounds.itemDepth) throw damagedFileError('items that are made of each other');
    let pixels = derivedTypes.includes(item.type)
      ? await sumParts(item, depth)
      : await codedPixels(bytes, item, countUnit);
    for (const auxiliary of item.auxiliaries) pixels += await sumAuxiliary(auxiliary, depth + 1);
    sums.set(id, pixels);
    return pixels;
  }

  /**
   * Adds the pixels of an auxiliary item. Depth maps and similar items may have unknown codecs, because no decoder
   * reads them.
   */
  async function sumAuxiliary(id: number, depth: number): Promise<number> {
    const item = byId.get(id);
    if (!item) return 0;
    return [...derivedTypes, ...codecs].includes(item.type)
      ? await sum(id, depth)
      : computeArea(getHeifItemSize(item));
  }

  /**
   * Adds the pixels of an item's parts. Coded parts are drawn on the canvas one by one. Parts with their own canvas are
   * held in memory beside the item's canvas.
   */
  async function sumParts(item: HeifFileItem, depth: number): Promise<number> {
    const canvas = await canvasPixels(bytes, item);
    let pixels = 0;
    let isNested = false;
    for (const part of item.parts) {
      pixels += await sum(part, depth + 1);
      isNested ||= derivedTypes.includes(byId.get(part)?.type ?? '');
    }
    return isNested ? canvas + pixels : Math.max(canvas, pixels);
  }

  return (id) => sum(id);
}

async function canvasPixels(bytes: ByteWindow, item: HeifFileItem): Promise<number> {
  const said = computeArea(getHeifItemSize(item));
  if (!canvasTypes.includes(item.type)) return said;
  const head = await joinByteExtents(bytes, item.extents).from(0, 20);
  // A grid has rows and columns before its size, an overlay has four color values.
  const start = item.type === 'grid' ? 4 : 10;
  const size = ((head[1] ?? 0) & 1) === 1 ? 4 : 2;
  if (head.length < start + 2 * size) throw damagedFileError('a canvas without a size');
  return Math.max(said, head.readUIntBE(start, size) * head.readUIntBE(start + size, size));
}

/** Returns the pixels of a coded item. The size in the coded data counts, because `ispe` may declare less. */
async function codedPixels(bytes: ByteWindow, item: HeifFileItem, countUnit: () => void): Promise<number> {
  const data = joinByteExtents(bytes, item.extents);
  const configuration = (type: string) =>
    item.properties.find((property) => property.type === type)?.data ?? Buffer.alloc(0);
  let coded: CodedPictures;
  if (item.type === 'av01') coded = await readAv1Units(data, countUnit);
  else if (item.type === 'hvc1' || item.type === 'hev1')
    coded = await readHevcUnits(data, configuration('hvcC'), countUnit);
  else throw damagedFileError(`a picture of type ${item.type}`);
  return Math.max(computeArea(getHeifItemSize(item)), coded.largest) * Math.max(1, coded.pictures);
}
