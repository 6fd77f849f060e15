/** Finds the wall clock of a place, by the time zones of the world. */
import findTimeZone from '@photostructure/tz-lookup';
import type { GeoLocation } from './location.ts';
import { earliestTakenTime, latestTakenTime, wallClockToSeconds } from './wall-clock.ts';

/** Returns the wall clock of a place at a moment in Unix seconds. UTC is the wall clock of a zone without rules. */
export function toWallClockAt(utc: number, { latitude, longitude }: GeoLocation): number {
  if (!(utc >= earliestTakenTime && utc <= latestTakenTime)) return utc;
  try {
    return readClock(utc, findTimeZone(latitude, longitude));
  } catch {
    return utc;
  }
}

function readClock(utc: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const parts = new Map(format.formatToParts(utc * 1000).map(({ type, value }) => [type, Number(value)]));
  const read = (part: Intl.DateTimeFormatPartTypes) => parts.get(part) ?? Number.NaN;
  return (
    wallClockToSeconds({
      year: read('year'),
      month: read('month'),
      day: read('day'),
      hour: read('hour'),
      minute: read('minute'),
      second: read('second'),
    }) ?? utc
  );
}
