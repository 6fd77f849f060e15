/** What a file beside a photo tells about it: an export's own, Google Takeout's, or XMP. Nothing of it is trusted. */
import { join } from 'node:path';
import { createCheck } from '../../../platform/http/validation.ts';
import { takenTime } from '../../../platform/imaging/metadata/exif-text.ts';
import { PhotoFile } from '../schema.ts';
import { readText } from './open-file.ts';
import type { FoundFile } from './walk.ts';

/** What another program wrote; '' and undefined where it says nothing. */
export interface Sidecar {
  title: string;
  description: string;
  /** Unix seconds. */
  takenTime: number | undefined;
  /** Of an export of ours: everything. */
  exported: PhotoFile | undefined;
}

const maxBytes = 4 * 1024 * 1024;

const checkPhotoFile = createCheck(PhotoFile);

/** Throws invalid for a file that an export has written and that is no longer what the schema says. */
export async function readSidecar(folder: string, { json, xmp }: FoundFile): Promise<Sidecar> {
  const told: Sidecar = { title: '', description: '', takenTime: undefined, exported: undefined };
  if (xmp) told.takenTime = takenTimeOfXmp(await readSidecarText(join(folder, xmp)));
  const value = json ? parseObject(await readSidecarText(join(folder, json))) : undefined;
  if (!value) return told;
  if (value.schema === 'lightwell-photo') return { ...told, exported: checkPhotoFile(value) };
  return {
    ...told,
    title: typeof value.title === 'string' ? value.title : '',
    description: typeof value.description === 'string' ? value.description : '',
    takenTime: takenTimeOfTakeout(value) ?? told.takenTime,
  };
}

/** Undefined for what is no JSON object: files of other programs are not ours to complain about. */
export function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** At most four megabytes; '' for a file that is longer. */
export function readSidecarText(path: string): Promise<string> {
  return readText(path, maxBytes);
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
