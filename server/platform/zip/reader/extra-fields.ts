/** Reads the extra fields of an entry: large sizes, a name in UTF-8, and times. Broken fields end the list. */
import { computeCrc32 } from './crc32.ts';
import { readUint64, viewBytes } from './source.ts';

const zip64 = 0x0001;
const ntfs = 0x000a;
const extendedTimestamp = 0x5455;
const unicodePath = 0x7075;

export type ExtraFields = Map<number, Uint8Array>;

/** The first field of each kind counts. */
export function readExtraFields(bytes: Uint8Array): ExtraFields {
  const fields: ExtraFields = new Map();
  const view = viewBytes(bytes);
  for (let at = 0; at + 4 <= bytes.length; ) {
    const id = view.getUint16(at, true);
    const end = at + 4 + view.getUint16(at + 2, true);
    if (end > bytes.length) break;
    if (!fields.has(id)) fields.set(id, bytes.subarray(at + 4, end));
    at = end;
  }
  return fields;
}

const maxUint32 = 0xffff_ffff;

/**
 * Replaces values of the record that do not fit into 32 bits by the values of the ZIP64 field. Returns undefined if the
 * field lacks a value.
 */
export function readZip64Values(fields: ExtraFields, values: number[]): number[] | undefined {
  if (!values.includes(maxUint32)) return values;
  const field = fields.get(zip64);
  // Exactly 4,294,967,295 bytes need no field.
  if (!field) return values;
  const view = viewBytes(field);
  let at = 0;
  const read: number[] = [];
  for (const value of values) {
    if (value !== maxUint32) {
      read.push(value);
      continue;
    }
    if (at + 8 > field.length) return undefined;
    read.push(readUint64(view, at));
    at += 8;
  }
  return read;
}

/** Returns the name of Info-ZIP's field "Unicode Path", if the field belongs to the name of the record. */
export function readUnicodePath(fields: ExtraFields, rawName: Uint8Array): Uint8Array | undefined {
  const field = fields.get(unicodePath);
  if (!field || field.length < 5 || field[0] !== 1) return undefined;
  return viewBytes(field).getUint32(1, true) === computeCrc32(rawName) ? field.subarray(5) : undefined;
}

const intervalsPerSecond = 10_000_000;
/** Seconds from 1601, the first year of NTFS, to 1970. */
const secondsBefore1970 = 11_644_473_600;

/** Returns the time of the last change in Unix seconds, or undefined without a field that has it. */
export function readModifiedTime(fields: ExtraFields): number | undefined {
  const timestamp = fields.get(extendedTimestamp);
  if (timestamp && timestamp.length >= 5 && (timestamp[0]! & 1) === 1) {
    return viewBytes(timestamp).getInt32(1, true);
  }
  const windows = fields.get(ntfs);
  if (!windows || windows.length < 16 || viewBytes(windows).getUint16(4, true) !== 1) return undefined;
  return Math.floor(readUint64(viewBytes(windows), 8) / intervalsPerSecond) - secondsBefore1970;
}

/** Returns a DOS date and time in Unix seconds, by the clock of this computer, or 0 for an impossible one. */
export function readDosTime(date: number, time: number): number {
  const milliseconds = new Date(
    1980 + (date >> 9),
    ((date >> 5) & 15) - 1,
    date & 31,
    time >> 11,
    (time >> 5) & 63,
    (time & 31) * 2,
  ).getTime();
  return Math.floor(milliseconds / 1000) || 0;
}
