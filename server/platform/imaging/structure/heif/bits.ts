import { damagedFileError } from '../refusals.ts';

export type BitReader = ReturnType<typeof createBitReader>;

/** Returns a reader for single bits of a coded picture's header. Throws ImageError past the end. */
export function createBitReader(bytes: Buffer) {
  let position = 0;
  /** Reads an unsigned number of up to 32 bits. */
  function read(bits: number): number {
    let value = 0;
    for (let index = 0; index < bits; index++) {
      const byte = bytes[position >> 3];
      if (byte === undefined) throw damagedFileError('a coded picture cut short');
      value = value * 2 + ((byte >> (7 - (position & 7))) & 1);
      position++;
    }
    return value;
  }
  return {
    read,
    isSet: () => read(1) === 1,
    skip: (bits: number) => {
      position += bits;
    },
    /**
     * Reads a number in exponential Golomb code: as many zeros before its first 1 as bits after it (ue(v) of HEVC, uvlc
     * of AV1).
     */
    readExponential(): number {
      let zeros = 0;
      while (read(1) === 0) if (++zeros === 32) return 2 ** 32 - 1;
      return 2 ** zeros - 1 + read(zeros);
    },
  };
}
