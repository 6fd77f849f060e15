import { ImageError } from '../../errors.ts';
import { type BitReader, createBitReader } from './bits.ts';

const sequenceHeader = 1;

/**
 * Returns the color numbers of an AV1 sequence header, or undefined if the header names none. `unit` begins with a unit
 * (OBU) of the item's data. Only still pictures are read, because encoders write them into AVIF.
 */
export function readAv1ColorNumbers(unit: Buffer): { primaries: number; transfer: number } | undefined {
  try {
    return readSequence(unit);
  } catch (error) {
    if (error instanceof ImageError) return undefined;
    throw error;
  }
}

function readSequence(unit: Buffer) {
  let position = 0;
  // A temporal delimiter, an empty unit, may stand before the header.
  while (unit.length >= position + 2 && ((unit[position]! >> 3) & 15) !== sequenceHeader) {
    if (unit[position + 1] !== 0) return undefined;
    position += 2;
  }
  const hasExtension = ((unit[position] ?? 0) & 4) !== 0;
  const hasSize = ((unit[position] ?? 0) & 2) !== 0;
  let start = position + (hasExtension ? 2 : 1);
  if (hasSize) {
    while (unit[start]! >= 0x80) start++;
    start++;
  }
  const bits = createBitReader(unit.subarray(start));
  const profile = bits.read(3);
  bits.skip(1);
  const isReduced = bits.isSet();
  if (isReduced) bits.skip(5);
  else if (!skipOnlyOperatingPoint(bits)) return undefined;
  skipSizesAndTools(bits, isReduced);
  return readColorConfiguration(bits, profile);
}

/** Skips the operating point of a picture without timing. Returns false for a picture with more than that. */
function skipOnlyOperatingPoint(bits: BitReader): boolean {
  if (bits.isSet()) return false;
  const hasDisplayDelay = bits.isSet();
  if (bits.read(5) > 0) return false;
  bits.skip(12);
  if (bits.read(5) > 7) bits.skip(1);
  if (hasDisplayDelay && bits.isSet()) bits.skip(4);
  return true;
}

function skipSizesAndTools(bits: BitReader, isReduced: boolean): void {
  const widthBits = bits.read(4) + 1;
  const heightBits = bits.read(4) + 1;
  bits.skip(widthBits + heightBits);
  if (!isReduced && bits.isSet()) bits.skip(7);
  bits.skip(3);
  if (!isReduced) skipFrameTools(bits);
  bits.skip(3);
}

function skipFrameTools(bits: BitReader): void {
  bits.skip(4);
  const hasOrderHints = bits.isSet();
  if (hasOrderHints) bits.skip(2);
  const isScreenContent = bits.isSet() || bits.isSet();
  if (isScreenContent && !bits.isSet()) bits.skip(1);
  if (hasOrderHints) bits.skip(3);
}

function readColorConfiguration(bits: BitReader, profile: number) {
  const isDeep = bits.isSet();
  if (profile === 2 && isDeep) bits.skip(1);
  if (profile !== 1) bits.skip(1);
  return bits.isSet() ? { primaries: bits.read(8), transfer: bits.read(8) } : undefined;
}
