/** Conversions of times: Unix seconds in the program, `YYYY-MM-DD HH:MM:SS` (UTC) in JSON. */
import { LRUCache } from 'lru-cache';

const secondsOfDay = 86_400;
/** Number of slots of the cache for formatted times, a power of two. */
const formattedTimeSlots = 8192;
/**
 * Cache of formatted times, with the last time of each slot. A list formats about sixty times, and the next list mostly
 * the same ones.
 */
const formattedTimes = Array.from({ length: formattedTimeSlots }, () => ({ seconds: Number.NaN, text: '' }));
/** First second after the year 9999. */
const maxTimeSeconds = 253_402_300_800;
const twoDigits = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));

export function timeText(seconds: number): string {
  const slot = seconds & (formattedTimeSlots - 1);
  const last = formattedTimes[slot]!;
  if (last.seconds !== seconds) {
    last.text = writeTime(seconds);
    last.seconds = seconds;
  }
  return last.text;
}

/** Formats a time as one flat string, for the reason given at `buildObjectPath`. */
function writeTime(seconds: number): string {
  const day = Math.floor(seconds / secondsOfDay);
  const second = seconds - day * secondsOfDay;
  const [hours, minutes] = [Math.floor(second / 3600), Math.floor(second / 60) % 60];
  return [dayText(day), `${twoDigits[hours]}:${twoDigits[minutes]}:${twoDigits[second % 60]}`].join(' ');
}

/**
 * Cache of formatted days. A list has about twenty times from few days, and formatting a date costs more than the rest
 * of its item.
 */
const formattedDays = new LRUCache<number, string>({ max: 1000 });

/** Formats a day, given in days since 1970. */
export function dayText(day: number): string {
  const known = formattedDays.get(day);
  if (known !== undefined) return known;
  const text = new Date(day * secondsOfDay * 1000).toISOString().slice(0, 10);
  formattedDays.set(day, text);
  return text;
}

/** Returns the first second of a day. A schema must have checked the text. */
export function dayStart(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / 1000;
}

/** Returns the first second after a day. */
export function dayEnd(day: string): number {
  return dayStart(day) + secondsOfDay;
}

/** Returns the month of a time in UTC. `end` is the first second after the month. */
export function monthBounds(seconds: number): { name: string; start: number; end: number } {
  const name = timeText(seconds).slice(0, 7);
  const [year, month] = [Number(name.slice(0, 4)), Number(name.slice(5))];
  const next =
    month === 12 ? `${String(year + 1).padStart(4, '0')}-01` : `${name.slice(0, 5)}${twoDigits[month + 1]}`;
  return {
    name,
    start: dayStart(`${name}-01`),
    end: year === 9999 && month === 12 ? maxTimeSeconds : dayStart(`${next}-01`),
  };
}
