/**
 * Reads dates and times as metadata writes them. Results are wall clocks: the clock of the place where the photo was
 * taken, in seconds like Unix time in UTC. An offset in the text does not move the result.
 */
import { toSingleLineText } from './text.ts';

/** First and last second of the years 1000 to 9999, the years that can be formatted. */
export const earliestTakenTime = Date.UTC(1000, 0, 1) / 1000;
export const latestTakenTime = Date.UTC(10_000, 0, 1) / 1000 - 1;

const daySeconds = 86_400;

/** Matches a date and an optional time after `normalizeSpelling`. */
const written =
  /^(\d{4})[:/.-] ?(\d{1,2})[:/.-] ?(\d{1,2})(?:[ T_-] ?(\d{1,2})[:.] ?(\d{1,2})(?:[:.] ?(\d{1,2}))?)?(?!\d)(.*)$/;

/**
 * Returns the wall clock of a text such as `2024:05:01 12:30:00` or `2024-05-01T12:30+02:00`, also without seconds,
 * without a time, or with blanks for leading zeros. Returns undefined for an impossible date or a text with several
 * meanings.
 */
export function parseWallClock(value: unknown): number | undefined {
  const match = written.exec(normalizeSpelling(toSingleLineText(value).slice(0, 100)));
  if (!match) return undefined;
  const [year, month, day, hour = Number.NaN, minute, second = 0] = match
    .slice(1, 7)
    .map((part) => part && Number(part)) as [number, number, number, number?, number?, number?];
  const rest = match[7]!;
  // A rest with digits after a bare date is a time of unknown form.
  if (minute === undefined) return /\d/.test(rest) ? undefined : wallClockToSeconds({ year, month, day });
  if (match[6] === undefined && /^[:.]/.test(rest)) return undefined;
  const half = /^[.,\d ]*([ap])\.?m\b/i.exec(rest)?.[1]?.toLowerCase();
  return wallClockToSeconds({ year, month, day, hour: half ? toFullHour(hour, half) : hour, minute, second });
}

/** Returns the wall clock of an XMP date, which may be a year or a month only. */
export function parseXmpTime(value: unknown): number | undefined {
  const text = toSingleLineText(value);
  if (/^\d{4}$/.test(text)) return parseWallClock(`${text}-01-01`);
  if (/^\d{4}-\d\d$/.test(text)) return parseWallClock(`${text}-01`);
  return parseWallClock(text);
}

/** Returns the wall clock of a text exactly like `2026-03-01 09:30:00`, as clients send it. */
export function parseFileTime(text: string): number | undefined {
  return /^\d{4}-\d\d-\d\d (?:[01]\d|2[0-3]):\d\d:\d\d$/.test(text) ? parseWallClock(text) : undefined;
}

/** Returns the seconds of an offset such as `+02:00`, `-0330` or `Z`, or undefined. */
export function parseTimeZoneOffset(value: unknown): number | undefined {
  const text = toSingleLineText(value);
  if (text === 'Z') return 0;
  const match = /^([+-])(\d\d):?(\d\d)$/.exec(text);
  if (!match) return undefined;
  const seconds = Number(match[2]) * 3600 + Number(match[3]) * 60;
  return match[1] === '-' ? -seconds : seconds;
}

/** Returns the seconds of the offset at the end of an XMP date, or undefined. */
export function readXmpOffset(value: unknown): number | undefined {
  return parseTimeZoneOffset(/T.*?(Z|[+-]\d\d:?\d\d)$/.exec(toSingleLineText(value).slice(0, 100))?.[1]);
}

/** Returns the wall clock of this process at a moment in Unix seconds. */
export function toLocalWallClock(seconds: number): number {
  return Math.round(seconds - new Date(seconds * 1000).getTimezoneOffset() * 60);
}

export interface WallClockParts {
  year: number;
  month: number;
  day: number;
  hour?: number;
  minute?: number;
  second?: number;
}

/** Returns the seconds of a wall clock, or undefined for a date or time that does not exist. */
export function wallClockToSeconds({ year, month, day, hour = 0, minute = 0, second = 0 }: WallClockParts) {
  const date = new Date(Date.UTC(year, month - 1, day));
  const isDay = year >= 1000 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  if (!isDay || !(hour <= 24 && minute < 60 && second <= 60)) return undefined;
  const isEndOfDay = hour === 24 && minute === 0 && second === 0;
  // Some phones count the hours from 1 to 24, so that 24:08:19 is 00:08:19 of the same day. 24:00:00 ends the day.
  const shownHour = hour === 24 && !isEndOfDay ? 0 : hour;
  const seconds = date.getTime() / 1000 + shownHour * 3600 + minute * 60 + second;
  return seconds >= earliestTakenTime && seconds <= latestTakenTime ? seconds : undefined;
}

/**
 * Returns whether a wall clock can be a capture time: its year can be formatted, and it is not in the future. A day of
 * tolerance is for places whose clocks are ahead of UTC.
 */
export function isCaptureTime(seconds: number, now: number): boolean {
  return (
    Number.isInteger(seconds) &&
    seconds >= earliestTakenTime &&
    seconds <= Math.min(now + daySeconds, latestTakenTime)
  );
}

function toFullHour(hour: number, half: string): number {
  if (hour < 1 || hour > 12) return Number.NaN;
  return (hour % 12) + (half === 'p' ? 12 : 0);
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** Matches `Sat, 26 Jul 2014 18:44:00 +0200`, the form of the PNG specification. */
const mailDate = /^(?:[a-z]{3,9},? )?(\d{1,2})[ -]([a-z]{3})[a-z]{0,6}[ -](\d{4})\b(.*)$/i;
/** Matches `Sat Jul 26 18:44:00 2014`, the form of the C function `ctime`. */
const systemDate = /^[a-z]{3} ([a-z]{3}) (\d{1,2}) (\d\d:\d\d:\d\d) (\d{4})$/i;

/** Returns a text with separators between numbers, and with the year first. */
function normalizeSpelling(text: string): string {
  const mail = mailDate.exec(text);
  if (mail) return normalizeDate(mail[3]!, mail[2]!, mail[1]!, mail[4]!);
  const system = systemDate.exec(text);
  if (system) return normalizeDate(system[4]!, system[1]!, system[2]!, ` ${system[3]}`);
  return text
    .replace(
      /^(\d{4})(\d\d)(\d\d)(?:(\d\d)(\d\d)(\d\d))?(?!\d)/,
      (_, year, month, day, hour, minute, second) =>
        hour ? `${year}-${month}-${day} ${hour}:${minute}:${second}` : `${year}-${month}-${day}`,
    )
    .replace(/([ T_-])(\d\d)(\d\d)(\d\d)?(?!\d)/, (whole, separator, hour, minute, second) =>
      separator === '-' && !second ? whole : `${separator}${hour}:${minute}${second ? `:${second}` : ''}`,
    );
}

function normalizeDate(year: string, month: string, day: string, rest: string): string {
  return `${year}-${months.indexOf(month.toLowerCase()) + 1}-${day}${rest}`;
}
