/** Handles the checksums of a PNG's chunks. */
import { crc32 } from 'node:zlib';

export const pngStart = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

/** Corrects the checksums in place. Other files stay unchanged. */
export function mendSums(bytes: Buffer): void {
  if (!bytes.subarray(0, pngStart.length).equals(pngStart)) return;
  for (let at = pngStart.length; at + 12 <= bytes.length; ) {
    const end = at + 8 + bytes.readUInt32BE(at);
    if (end + 4 > bytes.length) return;
    bytes.writeUInt32BE(crc32(bytes.subarray(at + 4, end)), end);
    at = end + 4;
  }
}
