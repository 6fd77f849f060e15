import type { ByteWindow } from '../../clean/byte-window.ts';
import { type BitReader, createBitReader } from './bits.ts';
import type { CodedPictures } from './coded.ts';

const sequenceHeader = 1;
const frameHeader = 3;
const frame = 6;
/** Bytes read of a sequence header. Even the longest possible header is shorter. */
const headerBytes = 1_024;

/** Reads the units (OBUs) of an item's data, or those in `av1C` after its first four bytes. */
export async function readAv1Units(data: ByteWindow, count: () => void): Promise<CodedPictures> {
  const coded: CodedPictures = { largest: 0, pictures: 0 };
  for (let position = 0; ; ) {
    const head = await data.from(position, 10);
    if (head.length < 2) return coded;
    count();
    const type = (head[0]! >> 3) & 15;
    const extension = (head[0]! >> 2) & 1;
    const hasSize = (head[0]! & 2) !== 0;
    const size = hasSize ? readSize(head, 1 + extension) : { value: data.size, bytes: 0 };
    if (!size) return coded;
    const start = position + 1 + extension + size.bytes;
    if (type === sequenceHeader) {
      const header = Buffer.from((await data.from(start, headerBytes)).subarray(0, headerBytes));
      coded.largest = Math.max(coded.largest, readSequence(createBitReader(header)));
    }
    if (type === frame || type === frameHeader) coded.pictures++;
    position = start + size.value;
  }
}

/** Reads a number with seven bits per byte, lowest bits first. */
function readSize(head: Buffer, start: number): { value: number; bytes: number } | undefined {
  let value = 0;
  for (let index = 0; index < 8; index++) {
    const byte = head[start + index];
    if (byte === undefined) return undefined;
    value += (byte & 0x7f) * 2 ** (7 * index);
    if (byte < 0x80) return { value, bytes: index + 1 };
  }
  return undefined;
}

/** Returns the pixels of the largest frame that may follow. */
function readSequence(bits: BitReader): number {
  bits.skip(4); // Skips the profile and the still-picture flag.
  if (bits.isSet()) bits.skip(5);
  else skipOperatingPoints(bits);
  const widthBits = bits.read(4) + 1;
  const heightBits = bits.read(4) + 1;
  return (bits.read(widthBits) + 1) * (bits.read(heightBits) + 1);
}

function skipOperatingPoints(bits: BitReader): void {
  let delayBits = 0;
  if (bits.isSet()) {
    bits.skip(64);
    if (bits.isSet()) bits.readExponential();
    if (bits.isSet()) {
      delayBits = bits.read(5) + 1;
      bits.skip(42);
    }
  }
  const hasDisplayDelay = bits.isSet();
  for (let points = bits.read(5) + 1; points > 0; points--) {
    bits.skip(12);
    if (bits.read(5) > 7) bits.skip(1);
    if (delayBits > 0 && bits.isSet()) bits.skip(2 * delayBits + 1);
    if (hasDisplayDelay && bits.isSet()) bits.skip(4);
  }
}
