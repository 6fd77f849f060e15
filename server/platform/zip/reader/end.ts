/** Finds the list of files (the central directory) by the records at the end of an archive. */
import { BadZip, readUint64, viewBytes, type ZipSource } from './source.ts';

export interface DirectoryPlace {
  offset: number;
  end: number;
  /** Number of entries that the archive claims to have. Archives without ZIP64 count modulo 65,536. */
  count: number;
  isZip64: boolean;
}

const endBytes = 22;
const maxCommentBytes = 0xffff;
const locatorBytes = 20;
const zip64EndBytes = 56;
const endSignature = 0x0605_4b50;
const locatorSignature = 0x0706_4b50;
const zip64EndSignature = 0x0606_4b50;

const incomplete = 'The file is no complete ZIP';

/** Throws BadZip if the records are missing or contradict the size of the archive. */
export async function findDirectory(source: ZipSource): Promise<DirectoryPlace> {
  const length = Math.min(source.size, endBytes + maxCommentBytes);
  const tail = viewBytes(await source.read(source.size - length, length));
  const at = findEndRecord(tail);
  const endOffset = source.size - length + at;
  const place = (await readZip64Place(source, endOffset)) ?? readPlace(tail, at);
  if (place.end > endOffset) throw new BadZip(incomplete);
  return place;
}

/** Returns the offset of the end record, whose comment reaches the end of the archive. */
function findEndRecord(tail: DataView): number {
  for (let at = tail.byteLength - endBytes; at >= 0; at--) {
    if (tail.getUint32(at, true) !== endSignature) continue;
    if (at + endBytes + tail.getUint16(at + 20, true) === tail.byteLength) return at;
  }
  throw new BadZip(incomplete);
}

function readPlace(tail: DataView, at: number): DirectoryPlace {
  if (tail.getUint16(at + 4, true) !== 0)
    throw new BadZip('The ZIP is one part of several that belong together');
  const size = tail.getUint32(at + 12, true);
  const offset = tail.getUint32(at + 16, true);
  return { offset, end: offset + size, count: tail.getUint16(at + 10, true), isZip64: false };
}

/** Returns undefined without a ZIP64 locator before the end record. */
async function readZip64Place(source: ZipSource, endOffset: number): Promise<DirectoryPlace | undefined> {
  if (endOffset < locatorBytes + zip64EndBytes) return undefined;
  const locator = viewBytes(await source.read(endOffset - locatorBytes, locatorBytes));
  if (locator.getUint32(0, true) !== locatorSignature) return undefined;
  const recordOffset = readUint64(locator, 8);
  if (recordOffset + zip64EndBytes > endOffset) throw new BadZip(incomplete);
  const record = viewBytes(await source.read(recordOffset, zip64EndBytes));
  if (record.getUint32(0, true) !== zip64EndSignature) throw new BadZip(incomplete);
  if (record.getUint32(16, true) !== 0)
    throw new BadZip('The ZIP is one part of several that belong together');
  const offset = readUint64(record, 48);
  return { offset, end: offset + readUint64(record, 40), count: readUint64(record, 32), isZip64: true };
}
