/** Reads the list of files of an archive in blocks, because the list of a million files does not fit into one. */
import type { DirectoryPlace } from './end.ts';
import {
  readDosTime,
  readExtraFields,
  readModifiedTime,
  readUnicodePath,
  readZip64Values,
} from './extra-fields.ts';
import { BadZip, viewBytes, type ZipSource } from './source.ts';

/** One record of the list. The fields are what unpacking needs, because a million records are in memory. */
export interface ZipEntry {
  /** Path in the archive, with `/` between the names and without `.` or empty names. */
  path: string;
  kind: 'file' | 'folder' | 'link' | 'special';
  size: number;
  packedSize: number;
  /** Unix seconds, or 0 if unknown. */
  modified: number;
  method: number;
  isEncrypted: boolean;
  offset: number;
  crc: number;
}

/** `path` is the whole name of the record here, or '' if only `rawName` is known. */
export interface ListedEntry extends ZipEntry {
  /** The name, if it is not valid UTF-8. */
  rawName?: Uint8Array;
}

const recordBytes = 46;
const maxRecordBytes = recordBytes + 3 * 0xffff;
const blockBytes = 1024 * 1024;
const signature = 0x0201_4b50;

/** Throws BadZip for a list that ends in the middle of a record. */
export async function* readDirectory(
  source: ZipSource,
  { offset, end }: DirectoryPlace,
): AsyncGenerator<ListedEntry> {
  let block: Uint8Array = new Uint8Array();
  let [at, next] = [0, offset];
  while (next - (block.length - at) < end) {
    if (block.length - at < maxRecordBytes && next < end) {
      const more = await source.read(next, Math.min(blockBytes, end - next));
      next += more.length;
      block = joinBytes(block.subarray(at), more);
      at = 0;
    }
    const length = measureRecord(block.subarray(at));
    yield readRecord(block.subarray(at, at + length));
    at += length;
  }
}

function joinBytes(one: Uint8Array, other: Uint8Array): Uint8Array {
  const joined = new Uint8Array(one.length + other.length);
  joined.set(one);
  joined.set(other, one.length);
  return joined;
}

function measureRecord(bytes: Uint8Array): number {
  const view = viewBytes(bytes);
  if (bytes.length < recordBytes || view.getUint32(0, true) !== signature) {
    throw new BadZip('The list of files in the ZIP is damaged');
  }
  const length = recordBytes + view.getUint16(28, true) + view.getUint16(30, true) + view.getUint16(32, true);
  if (length > bytes.length) throw new BadZip('The list of files in the ZIP is damaged');
  return length;
}

function readRecord(bytes: Uint8Array): ListedEntry {
  const view = viewBytes(bytes);
  const nameEnd = recordBytes + view.getUint16(28, true);
  const rawName = bytes.subarray(recordBytes, nameEnd);
  const fields = readExtraFields(bytes.subarray(nameEnd, nameEnd + view.getUint16(30, true)));
  const values = readZip64Values(
    fields,
    [24, 20, 42].map((at) => view.getUint32(at, true)),
  );
  if (!values) throw new BadZip('The list of files in the ZIP is damaged');
  const [size, packedSize, offset] = values as [number, number, number];
  const name = decodeUtf8(readUnicodePath(fields, rawName) ?? rawName);
  return {
    path: name ?? '',
    ...(name === undefined && { rawName: rawName.slice() }),
    kind: readKind(view, bytes[nameEnd - 1]),
    size,
    packedSize,
    modified: readModifiedTime(fields) ?? readDosTime(view.getUint16(14, true), view.getUint16(12, true)),
    method: view.getUint16(10, true),
    isEncrypted: (view.getUint16(8, true) & 0x41) !== 0,
    offset,
    crc: view.getUint32(16, true),
  };
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Many programs write UTF-8 without the flag that says so, so that the flag decides nothing. */
function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

const [slash, backslash] = [0x2f, 0x5c];

/** Archives from Unix have the type of a file in their attributes, whatever program says to have written them. */
function readKind(view: DataView, lastByte: number | undefined): ZipEntry['kind'] {
  const type = view.getUint16(40, true) & 0o170000;
  const isOfDos = view.getUint8(5) === 0 && (view.getUint8(38) & 0x10) !== 0;
  if (lastByte === slash || type === 0o040000 || isOfDos) return 'folder';
  if (type === 0o120000) return 'link';
  if (type !== 0 && type !== 0o100000) return 'special';
  return lastByte === backslash && view.getUint32(24, true) === 0 ? 'folder' : 'file';
}
