/** Computes the checksum of ZIP, CRC-32 of ISO 3309. */

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = (value >>> 1) ^ (value & 1 ? 0xedb8_8320 : 0);
  return value;
});

/** `before` is the checksum of the bytes before. */
export function computeCrc32(bytes: Uint8Array, before = 0): number {
  let value = ~before;
  for (const byte of bytes) value = (value >>> 8) ^ table[(value ^ byte) & 0xff]!;
  return ~value >>> 0;
}
