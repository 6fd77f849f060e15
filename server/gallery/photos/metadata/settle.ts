/** Decides between a date that a photo already has and the date that its file says. */
import type { ReadMetadata } from './store.ts';

/** A date that a photo has from an earlier version or from an export. Times are in seconds. */
export interface KnownDate {
  taken_time: number;
  create_time: number;
}

export interface SettledDate {
  taken_time: number;
  /** Reading of the file, completed by the known date if that date came from another file. */
  read: ReadMetadata;
}

/**
 * Returns the date of a photo whose owner did not correct it. Earlier versions stored the time of upload for unknown
 * dates, and moved dates to UTC. Another known date came from a file beside the photo, and counts like one.
 */
export function settleDate(read: ReadMetadata, known: KnownDate): SettledDate {
  const { takenTime } = read.exif;
  const isUploadTime = known.taken_time === known.create_time;
  if (takenTime === null && isUploadTime) return { taken_time: known.taken_time, read };
  if (takenTime !== null && (isUploadTime || isSameClock(takenTime, known.taken_time))) {
    return { taken_time: takenTime, read };
  }
  const exif = { ...read.exif, takenTime: known.taken_time, timeOffset: null };
  const facts = { ...read.facts, knownTime: known.taken_time };
  return { taken_time: known.taken_time, read: { exif, facts } };
}

/** Returns whether two times differ by a time zone at most. Offsets from UTC are quarters of an hour. */
function isSameClock(one: number, other: number): boolean {
  const difference = Math.abs(one - other);
  return difference <= 15 * 3600 && difference % 900 === 0;
}
