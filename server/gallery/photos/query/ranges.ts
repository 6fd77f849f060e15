/** Ranges in search queries: `800`, `>=800`, `35..85`, `2024-05`, `>10MB`. */

export interface RangeBound {
  operator: '>=' | '>' | '<' | '<=';
  value: number;
}

/** The range that a single value means: a number itself, or a period of time with an exclusive end. */
interface ValueRange {
  start: RangeBound;
  end: RangeBound;
}

type RangeParser = (text: string) => ValueRange | undefined;

const comparisonPattern = /^(>=|<=|>|<|=)?([^<>=]+)$/;

/** Parses a range. Returns undefined for an invalid text and for a range whose end is before its start. */
export function parseSearchRange(text: string, readOne: RangeParser): RangeBound[] | undefined {
  const value = text.trim();
  const dots = value.indexOf('..');
  if (dots >= 0) return readBetween(value.slice(0, dots), value.slice(dots + 2), readOne);
  const [, operator = '=', one = ''] = comparisonPattern.exec(value) ?? [];
  const stretch = readOne(one.trim());
  return stretch && toBounds(operator, stretch);
}

function readBetween(first: string, last: string, readOne: RangeParser): RangeBound[] | undefined {
  if (first === '' && last === '') return undefined;
  const [from, to] = [first, last].map((one) => (one === '' ? undefined : readOne(one)));
  if ((first !== '' && !from) || (last !== '' && !to)) return undefined;
  if (from && to && from.start.value > to.end.value) return undefined;
  return [...(from ? [from.start] : []), ...(to ? [to.end] : [])];
}

function toBounds(operator: string, { start, end }: ValueRange): RangeBound[] {
  switch (operator) {
    case '>=':
      return [start];
    case '<=':
      return [end];
    case '<':
      return [{ operator: '<', value: start.value }];
    case '>':
      return [{ operator: end.operator === '<' ? '>=' : '>', value: end.value }];
    default:
      return [start, end];
  }
}

function singleValue(value: number): ValueRange {
  return { start: { operator: '>=', value }, end: { operator: '<=', value } };
}

export const parseWholeNumber: RangeParser = (text) =>
  /^\d{1,9}$/.test(text) ? singleValue(Number(text)) : undefined;

export const parseRealNumber: RangeParser = (text) =>
  /^\d{1,6}(\.\d{1,3})?$/.test(text) ? singleValue(Number(text)) : undefined;

const bytesPerUnit: Record<string, number> = { '': 1, b: 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3 };

/** Parses a file size in bytes. A kB has 1,024 bytes, like everywhere in this gallery. */
export const parseFileSize: RangeParser = (text) => {
  const [, number, unit] = /^(\d{1,9}(?:\.\d{1,3})?)\s*([a-z]{0,2})$/i.exec(text) ?? [];
  const factor = unit === undefined ? undefined : bytesPerUnit[unit.toLowerCase()];
  return factor === undefined ? undefined : singleValue(Math.round(Number(number) * factor));
};

/** Parses a year, a month or a day into its range in Unix seconds, UTC. */
export const parseDayRange: RangeParser = (text) => {
  const [, year, month, day] = /^([1-9]\d{3})(?:-(\d\d)(?:-(\d\d))?)?$/.exec(text) ?? [];
  if (year === undefined) return undefined;
  const [y, m, d] = [Number(year), Number(month ?? 1) - 1, Number(day ?? 1)];
  const start = new Date(Date.UTC(y, m, d));
  // Dates like 2024-02-30 are invalid, but JavaScript would accept them as a day in March.
  if (start.getUTCMonth() !== m || start.getUTCDate() !== d) return undefined;
  const end =
    day !== undefined ? Date.UTC(y, m, d + 1) : month !== undefined ? Date.UTC(y, m + 1) : Date.UTC(y + 1, 0);
  return {
    start: { operator: '>=', value: start.getTime() / 1000 },
    end: { operator: '<', value: end / 1000 },
  };
};
