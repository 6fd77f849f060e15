/** A piece of a clean copy: bytes `[start, end)` of the original, or bytes of our own. */
export type Part = { start: number; end: number } | { base64: string };

/** The structure is not what we know: what cannot be walked safely is not cleaned but rendered anew. */
export class OddStructure extends Error {
  override name = 'OddStructure';
}

/** Refuses a walk of more steps than any camera's or editor's file has: half a million segments of four bytes. */
export function createStepCount(size: number): () => void {
  let left = 10_000 + size / 1024;
  return () => {
    if (left-- <= 0) throw new OddStructure('too many pieces');
  };
}

/** Adds bytes of the original, joined to the piece before where they follow on it. */
export function keep(parts: Part[], start: number, end: number): void {
  const last = parts.at(-1);
  if (last && 'end' in last && last.end === start) last.end = end;
  else parts.push({ start, end });
}

export function insert(parts: Part[], bytes: Buffer): void {
  parts.push({ base64: bytes.toString('base64') });
}

export function cleanSize(parts: Part[]): number {
  let size = 0;
  for (const part of parts) {
    size += 'end' in part ? part.end - part.start : Buffer.byteLength(part.base64, 'base64');
  }
  return size;
}

/** An Exif block (a small TIFF) that says the orientation and nothing else. */
export function orientationExif(orientation: number): Buffer {
  const exif = Buffer.from('4d4d002a00000008000101120003000000010000000000000000', 'hex');
  exif.writeUInt16BE(orientation, 18);
  return exif;
}
