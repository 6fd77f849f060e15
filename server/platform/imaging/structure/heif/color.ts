import type { ByteWindow } from '../../clean/byte-window.ts';
import { type DeclaredColor, readColorNumbers } from '../color.ts';
import { joinByteExtents } from '../extents.ts';
import { readAv1ColorNumbers } from './av1-color.ts';
import type { HeifFileItem } from './items.ts';

const numbersType = 'nclx';
const profileTypes = ['prof', 'rICC'];
/** Bytes of the type in a color box, and of the type with both numbers. */
const typeBytes = 4;
const numbersBytes = 8;
/** Bytes that are read of a coded item, which begins with its sequence header. */
const codedBytes = 256;

/**
 * Returns the colors of a picture without an ICC profile, or undefined for sRGB. `chain` has the primary item, its first
 * part, and so on. The first item with a color box counts. Without a box, the numbers in the coded AV1 data count.
 */
export async function readHeifColor(
  bytes: ByteWindow,
  chain: HeifFileItem[],
): Promise<DeclaredColor | undefined> {
  for (const { properties } of chain) {
    const boxes = properties.filter(({ type }) => type === 'colr').map(({ data }) => data);
    // The numbers beside a profile describe only how the pixels are coded.
    if (boxes.some((box) => profileTypes.includes(readType(box)))) return undefined;
    const numbers = boxes.find((box) => readType(box) === numbersType && box.length >= numbersBytes);
    if (numbers)
      return readColorNumbers(numbers.readUInt16BE(typeBytes), numbers.readUInt16BE(typeBytes + 2));
  }
  const coded = chain.at(-1);
  if (coded?.type !== 'av01') return undefined;
  const start = await joinByteExtents(bytes, coded.extents).from(0, codedBytes);
  const numbers = readAv1ColorNumbers(start.subarray(0, codedBytes));
  return numbers && readColorNumbers(numbers.primaries, numbers.transfer);
}

const readType = (box: Buffer): string => box.toString('latin1', 0, typeBytes);
