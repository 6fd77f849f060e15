/** Times: Unix seconds inside, `YYYY-MM-DD HH:MM:SS` (UTC) in JSON. */
import { LRUCache } from 'lru-cache';

const secondsOfDay = 86_400;
/** A power of two. */
const slots = 8192;
/** A list has sixty times to write, and the next one mostly the same: of each slot the last. */
const written = Array.from({ length: slots }, () => ({ seconds: Number.NaN, text: '' }));
/** The first second after the year 9999. */
const latest = 253_402_300_800;
const twoDigits = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));

export function timeText(seconds: number): string {
  const slot = seconds & (slots - 1);
  const last = written[slot]!;
  if (last.seconds !== seconds) {
    last.text = writeTime(seconds);
    last.seconds = seconds;
  }
  return last.text;
}

/** Joined to one flat text: see `objectPath`. */
function writeTime(seconds: number): string {
  const day = Math.floor(seconds / secondsOfDay);
  const second = seconds - day * secondsOfDay;
  const [hours, minutes] = [Math.floor(second / 3600), Math.floor(second / 60) % 60];
  return [dayText(day), `${twoDigits[hours]}:${twoDigits[minutes]}:${twoDigits[second % 60]}`].join(' ');
}

/** A list has twenty times to write, mostly of few days: a calendar date costs more than the rest of its item. */
const days = new LRUCache<number, string>({ max: 1000 });

/** `day`: days since 1970. */
export function dayText(day: number): string {
  const known = days.get(day);
  if (known !== undefined) return known;
  const text = new Date(day * secondsOfDay * 1000).toISOString().slice(0, 10);
  days.set(day, text);
  return text;
}

/** The first second of a day that a schema has checked. */
export function dayStart(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / 1000;
}

/** The first second after a day. */
export function dayEnd(day: string): number {
  return dayStart(day) + secondsOfDay;
}

/** The month of a time, UTC; `end` is the first second after it. */
export function monthOf(seconds: number): { name: string; start: number; end: number } {
  const name = timeText(seconds).slice(0, 7);
  const [year, month] = [Number(name.slice(0, 4)), Number(name.slice(5))];
  const next =
    month === 12 ? `${String(year + 1).padStart(4, '0')}-01` : `${name.slice(0, 5)}${twoDigits[month + 1]}`;
  return {
    name,
    start: dayStart(`${name}-01`),
    end: year === 9999 && month === 12 ? latest : dayStart(`${next}-01`),
  };
}
