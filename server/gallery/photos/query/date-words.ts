/** Reads words that mean a time of capture: years, decades, months in many languages, and days. */
import { foldSearchText } from '../../../platform/db/fold.ts';
import type { SearchCondition } from './fields.ts';
import { parseDayRange } from './ranges.ts';

const languages =
  'en de fr es it pt nl da sv nb fi pl cs sk hu ro bg hr sl sr uk ru el tr he ar fa hi id vi th ko ja zh et lv lt ca eu'.split(
    ' ',
  );
/** Short names of months that are common English words. */
const commonWords = ['out', 'set', 'mar', 'ago', 'sat', 'mac'];

/** Months from 1 to 12 by their folded names: long and short, alone and as in a date. */
const monthByName = readMonthNames();

function readMonthNames(): Map<string, number> {
  const months = new Map<string, number>();
  for (const language of languages) {
    for (const month of ['long', 'short'] as const) {
      for (const day of [undefined, 'numeric'] as const) {
        const format = new Intl.DateTimeFormat(`${language}-u-ca-gregory-nu-latn`, {
          month,
          day,
          timeZone: 'UTC',
        });
        for (let n = 1; n <= 12; n++) addMonthName(months, format, n);
      }
    }
  }
  return months;
}

function addMonthName(months: Map<string, number>, format: Intl.DateTimeFormat, month: number): void {
  const parts = format.formatToParts(Date.UTC(2020, month - 1, 1));
  const name = foldSearchText(parts.find(({ type }) => type === 'month')?.value ?? '').replace(/\.$/, '');
  const isWord = /\p{L}{2}/u.test(name) && !/\d/.test(name) && !commonWords.includes(name);
  if (isWord && !months.has(name)) months.set(name, month);
}

const eastAsianDate = /^(\d{4})[年년](?:(\d{1,2})[月월](?:(\d{1,2})[日일])?)?$/;
const numericDate = /^(\d{4})(?:[-/.](\d{1,2})(?:[-/.](\d{1,2}))?)?$/;

/** Returns the condition that a folded word means as a date, or undefined. */
export function readDateWord(word: string): SearchCondition | undefined {
  const date = parseDateWord(word);
  return typeof date === 'number' ? { kind: 'month', month: date } : date && takenBetween(...date);
}

/** Returns the date that a folded word means as text: `2019`, `1990..1999`, or `--05` for a month of any year. */
export function describeDateWord(word: string): string | undefined {
  const date = parseDateWord(word);
  if (typeof date === 'number') return `--${String(date).padStart(2, '0')}`;
  if (!date || !takenBetween(...date)) return undefined;
  const [first, last] = date;
  return first === last ? first : `${first}..${last}`;
}

/** Returns a month from 1 to 12, the first and the last day, month or year, or undefined. */
function parseDateWord(word: string): number | [string, string] | undefined {
  const month = monthByName.get(word) ?? readMonthNumber(word);
  if (month !== undefined) return month;
  const decade = /^((?:18|19|20)\d)0s$/.exec(word)?.[1];
  if (decade) return [`${decade}0`, `${decade}9`];
  const [, year, ofYear, day] = eastAsianDate.exec(word) ?? numericDate.exec(word) ?? [];
  if (year === undefined || !/^(18|19|20)/.test(year)) return undefined;
  const date = [year, ofYear, day]
    .flatMap((part) => (part === undefined ? [] : [part.padStart(2, '0')]))
    .join('-');
  return [date, date];
}

/** Reads a month such as 12月 or 十二月. */
function readMonthNumber(word: string): number | undefined {
  const digits = /^(\d{1,2})[月월]$/.exec(word)?.[1];
  const place = ['一', '二', '三', '四', '五', '六', '七', '八', '九', '十', '十一', '十二'].indexOf(
    word.slice(0, -1),
  );
  const month = digits ? Number(digits) : word.endsWith('月') ? place + 1 : 0;
  return month >= 1 && month <= 12 ? month : undefined;
}

function takenBetween(first: string, last: string): SearchCondition | undefined {
  const [from, to] = [parseDayRange(first), parseDayRange(last)];
  return from && to ? { kind: 'range', of: 'taken_time', bounds: [from.start, to.end] } : undefined;
}
