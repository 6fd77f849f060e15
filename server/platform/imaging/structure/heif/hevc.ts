import type { ByteWindow } from '../../clean/byte-window.ts';
import { type BitReader, createBitReader } from './bits.ts';
import type { CodedPictures } from './coded.ts';

const parameterSet = 33;
/** First unit type that is not a slice of a picture. Slices have lower types. */
const firstOtherType = 32;
const unitHead = 2;
/** Bytes read of a parameter set. The size is within the first hundred bytes. */
const setBytes = 256;

/** Bytes of `hvcC` before the parameter sets, and the position of the field that gives the size of unit lengths. */
const configurationHead = 22;
const lengthSizeAt = 21;

/** Reads the units (NAL units) of an item's data, each after its length. `configuration` is the item's `hvcC`. */
export async function readHevcUnits(
  data: ByteWindow,
  configuration: Buffer,
  count: () => void,
): Promise<CodedPictures> {
  const coded: CodedPictures = { largest: largestConfigured(configuration), pictures: 0 };
  const lengthSize = ((configuration[lengthSizeAt] ?? 3) & 3) + 1;
  for (let position = 0; ; ) {
    const head = await data.from(position, lengthSize + unitHead + 1);
    if (head.length <= lengthSize + unitHead) return coded;
    count();
    const type = (head[lengthSize]! >> 1) & 63;
    const isFirstSlice = head[lengthSize + unitHead]! >= 0x80;
    if (type < firstOtherType && isFirstSlice) coded.pictures++;
    const start = position + lengthSize;
    position = start + head.readUIntBE(0, lengthSize);
    if (type !== parameterSet) continue;
    const set = Buffer.from((await data.from(start, setBytes)).subarray(0, setBytes));
    coded.largest = Math.max(coded.largest, readParameterSet(set));
  }
}

function largestConfigured(configuration: Buffer): number {
  let largest = 0;
  let position = configurationHead + 1;
  for (let arrays = configuration[configurationHead] ?? 0; arrays > 0; arrays--) {
    if (position + 3 > configuration.length) break;
    const units = configuration.readUInt16BE(position + 1);
    position += 3;
    for (let unit = 0; unit < units && position + 3 <= configuration.length; unit++) {
      const start = position + 2;
      position = start + configuration.readUInt16BE(position);
      const isSet = ((configuration[start]! >> 1) & 63) === parameterSet;
      if (isSet) largest = Math.max(largest, readParameterSet(configuration.subarray(start, position)));
    }
  }
  return largest;
}

/** Returns the pixels of pictures that use the parameter set (SPS). */
function readParameterSet(unit: Buffer): number {
  const bits = createBitReader(withoutEscapes(unit.subarray(unitHead, setBytes)));
  bits.skip(4);
  const subLayers = bits.read(3);
  bits.skip(1 + 96);
  skipSubLayers(bits, subLayers);
  bits.readExponential(); // Skips the id of the parameter set.
  if (bits.readExponential() === 3) bits.skip(1);
  return bits.readExponential() * bits.readExponential();
}

function skipSubLayers(bits: BitReader, subLayers: number): void {
  if (subLayers === 0) return;
  let due = 0;
  for (let layer = 0; layer < 8; layer++) {
    const flags = bits.read(2);
    if (layer < subLayers) due += (flags & 2 ? 88 : 0) + (flags & 1 ? 8 : 0);
  }
  bits.skip(due);
}

/** Removes escape bytes: two zeros and a three stand for two zeros. */
function withoutEscapes(unit: Buffer): Buffer {
  const bytes: number[] = [];
  let zeros = 0;
  for (const byte of unit) {
    if (zeros >= 2 && byte === 3) {
      zeros = 0;
      continue;
    }
    zeros = byte === 0 ? zeros + 1 : 0;
    bytes.push(byte);
  }
  return Buffer.from(bytes);
}
