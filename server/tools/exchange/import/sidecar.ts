/** What a file beside a photo tells about it: an export's own, Google Takeout's, or XMP. Nothing of it is trusted. */
import { isUtf8 } from 'node:buffer';
import { createCheck } from '../../../platform/http/validation.ts';
import { takenTime } from '../../../platform/imaging/metadata/exif-text.ts';
import { PhotoFile } from '../schema.ts';
import type { Source } from './source.ts';
import { type FoundFile, readBytes } from './walk.ts';

/** What another program wrote; '' and undefined where it says nothing. */
export interface Sidecar {
  title: string;
  description: string;
  /** Unix seconds. */
  takenTime: number | undefined;
  /** Of an export of ours: everything. */
  exported: PhotoFile | undefined;
}

export const maxTextBytes = 4 * 1024 * 1024;

const checkPhotoFile = createCheck(PhotoFile);

/** Throws invalid for a file that an export has written and that is no longer what the schema says. */
export async function readSidecar(
  source: Source,
  folder: string[],
  { json, xmp }: FoundFile,
): Promise<Sidecar> {
  const told: Sidecar = { title: '', description: '', takenTime: undefined, exported: undefined };
  if (xmp) told.takenTime = takenTimeOfXmp((await source.bytes([...folder, xmp])).toString());
  const value = json ? parseObject(await source.bytes([...folder, json])) : undefined;
  if (!value) return told;
  if (value.schema === 'lightwell-photo') return { ...told, exported: checkPhotoFile(value) };
  return {
    ...told,
    title: typeof value.title === 'string' ? value.title : '',
    description: typeof value.description === 'string' ? value.description : '',
    takenTime: takenTimeOfTakeout(value) ?? told.takenTime,
  };
}

/**
 * Returns undefined for bytes that are no JSON object, which invalid UTF-8 never is: files of other programs are not ours
 * to complain about.
 */
export function parseObject(bytes: Buffer): Record<string, unknown> | undefined {
  if (!isUtf8(bytes)) return undefined;
  try {
    const value: unknown = JSON.parse(bytes.toString());
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Reads at most four megabytes; returns no bytes for a longer file. */
export function readSidecarBytes(path: string): Promise<Buffer> {
  return readBytes(path, maxTextBytes);
}

/** The last second of the year 9999. */
const maxSeconds = 253_402_300_799;

/** 0 is what Takeout writes where it does not know. */
function takenTimeOfTakeout({ photoTakenTime }: Record<string, unknown>): number | undefined {
  const seconds = Number((photoTakenTime as { timestamp?: unknown } | undefined)?.timestamp ?? 0);
  if (!Number.isInteger(seconds) || seconds === 0 || Math.abs(seconds) > maxSeconds) return undefined;
  return seconds;
}

const xmpDate =
  /(?:exif:DateTimeOriginal|photoshop:DateCreated|xmp:CreateDate)(?:\s*=\s*["']|>)\s*(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?)(?:\.\d+)?(Z|[+-]\d\d:\d\d)?/;

function takenTimeOfXmp(text: string): number | undefined {
  const match = xmpDate.exec(text);
  if (!match) return undefined;
  const local = match[1]!.length === 16 ? `${match[1]}:00` : match[1];
  return takenTime(local, match[2] ?? '') ?? undefined;
}

const maxTitle = 200;
const maxDescription = 2000;
const maxAlbumName = 100;

/** A sidecar's title, unless that is but the file's name; else the file's name without its extension. */
export function titleOf(fileName: string, told: string): string {
  const title = told === '' || told === fileName ? fileName.replace(/\.[A-Za-z0-9]{1,5}$/, '') : told;
  return oneLine(title, maxTitle);
}

export function descriptionOf(told: string): string {
  return cut(
    told
      .toWellFormed()
      .replace(/\r\n?/g, '\n')
      .replace(/[^\P{Cc}\n\t]/gu, ' ')
      .trim(),
    maxDescription,
  );
}

export function albumNameOf(folderName: string): string {
  return oneLine(folderName, maxAlbumName) || 'Untitled';
}

function oneLine(text: string, max: number): string {
  return cut(
    text
      .toWellFormed()
      .replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
      .trim(),
    max,
  );
}

/** By characters, as the API counts them. */
function cut(text: string, max: number): string {
  return Array.from(text).slice(0, max).join('').trim();
}
