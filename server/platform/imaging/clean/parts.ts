/** Piece of a clean copy: bytes `[start, end)` of the original, or inserted bytes. */
export type CleanPart = { start: number; end: number } | { base64: string };

/** The file's structure is unknown or unsafe to parse. Such a file is rendered instead of cleaned. */
export class UnexpectedStructure extends Error {
  override name = 'UnexpectedStructure';
}

/**
 * Returns a function that counts parsing steps and throws for more than any real file needs. A crafted file can have
 * half a million segments of four bytes.
 */
export function createParsingStepLimit(size: number): () => void {
  let left = 10_000 + size / 1024;
  return () => {
    if (left-- <= 0) throw new UnexpectedStructure('too many pieces');
  };
}

/** Adds a byte range of the original, merged with the previous piece if both are adjacent. */
export function addOriginalRange(parts: CleanPart[], start: number, end: number): void {
  const last = parts.at(-1);
  if (last && 'end' in last && last.end === start) last.end = end;
  else parts.push({ start, end });
}

export function addLiteralBytes(parts: CleanPart[], bytes: Buffer): void {
  parts.push({ base64: bytes.toString('base64') });
}

export function countCleanCopyBytes(parts: CleanPart[]): number {
  let size = 0;
  for (const part of parts) {
    size += 'end' in part ? part.end - part.start : Buffer.byteLength(part.base64, 'base64');
  }
  return size;
}

/** Returns an Exif block (a small TIFF) that contains only the orientation. */
export function orientationExif(orientation: number): Buffer {
  const exif = Buffer.from('4d4d002a00000008000101120003000000010000000000000000', 'hex');
  exif.writeUInt16BE(orientation, 18);
  return exif;
}
