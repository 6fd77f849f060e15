/**
 * Reads files beside a photo that describe it: JSON of an export, JSON of Google Takeout, or XMP. The content of these
 * files is not trusted.
 */
import { isUtf8 } from 'node:buffer';
import { createSchemaCheck } from '../../../platform/http/validation.ts';
import { PhotoJson } from '../schema.ts';
import type { ImportSource } from './source.ts';
import { type FoundFile, readBytes } from './walk.ts';

/** Description of a photo from other programs. Texts are '' if the file lacks the value. */
export interface PhotoSidecar {
  title: string;
  description: string;
  /** Capture time of Takeout, in UTC. */
  takeoutTime: number | undefined;
  /** Bytes of the XMP file. */
  xmp: Buffer | undefined;
  /** Complete description of the photo if the file is from an export of Lightwell, otherwise undefined. */
  exported: PhotoJson | undefined;
}

export const maxSidecarBytes = 4 * 1024 * 1024;

const checkPhotoFile = createSchemaCheck(PhotoJson);

/** Reads the files beside a photo. Throws invalid if the JSON file of an export does not match the schema. */
export async function readSidecar(
  source: ImportSource,
  folder: string[],
  { json, xmp }: FoundFile,
): Promise<PhotoSidecar> {
  const told: PhotoSidecar = {
    title: '',
    description: '',
    takeoutTime: undefined,
    xmp: xmp ? await source.bytes([...folder, xmp]) : undefined,
    exported: undefined,
  };
  const value = json ? parseObject(await source.bytes([...folder, json])) : undefined;
  if (!value) return told;
  if (value.schema === 'lightwell-photo') return { ...told, exported: checkPhotoFile(value) };
  return {
    ...told,
    title: typeof value.title === 'string' ? value.title : '',
    description: typeof value.description === 'string' ? value.description : '',
    takeoutTime: readTakeoutTime(value),
  };
}

/**
 * Parses a JSON object. Returns undefined for other content and for invalid UTF-8, because other programs may use the
 * same file name.
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

/** Reads a file of at most four megabytes, and returns no bytes for a longer file. */
export function readSidecarBytes(path: string): Promise<Buffer> {
  return readBytes(path, maxSidecarBytes);
}

/** Unix time of the last second of the year 9999. */
const maxSeconds = 253_402_300_799;

/** Returns the capture time from a Takeout file. Takeout writes 0 for an unknown time. */
function readTakeoutTime({ photoTakenTime }: Record<string, unknown>): number | undefined {
  const seconds = Number((photoTakenTime as { timestamp?: unknown } | undefined)?.timestamp ?? 0);
  if (!Number.isInteger(seconds) || seconds === 0 || Math.abs(seconds) > maxSeconds) return undefined;
  return seconds;
}

const maxTitle = 200;
const maxDescription = 2000;
const maxAlbumName = 100;

/** Returns the title of a photo: the title from the file beside it, or the file name without its extension. */
export function choosePhotoTitle(fileName: string, told: string): string {
  const title = told === '' || told === fileName ? fileName.replace(/\.[A-Za-z0-9]{1,5}$/, '') : told;
  return oneLine(title, maxTitle);
}

export function cleanDescription(told: string): string {
  return cutText(
    told
      .toWellFormed()
      .replace(/\r\n?/g, '\n')
      .replace(/[^\P{Cc}\n\t]/gu, ' ')
      .trim(),
    maxDescription,
  );
}

export function chooseAlbumName(folderName: string): string {
  return oneLine(folderName, maxAlbumName) || 'Untitled';
}

function oneLine(text: string, max: number): string {
  return cutText(
    text
      .toWellFormed()
      .replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
      .trim(),
    max,
  );
}

/** Cuts a text after `max` characters, counted like in the API. */
function cutText(text: string, max: number): string {
  return Array.from(text).slice(0, max).join('').trim();
}
