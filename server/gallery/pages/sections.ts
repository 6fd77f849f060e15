/**
 * The sections of a wall: a list's months, the small ones put together, the large ones cut. The document and the page
 * in the browser cut them with this same function, so that a heading stands where it stood.
 */

/** Of `GET /api/timeline`. */
export interface Month {
  month: string;
  count: number;
  /** Sum of width / height. */
  ratio: number;
}

export interface Section {
  /** Place of its first photo in the list, from 0. */
  from: number;
  count: number;
  ratio: number;
  /** Months of its first and its last photo; '' in a list that is not in the order of time. */
  newest: string;
  oldest: string;
  /** Goes on with the month of the section before it, without a heading. */
  isContinued: boolean;
}

/** A month that fills less than some three rows of a wide window gets company. */
const leastRatio = 16;
/** Photos that are laid out at once. */
const mostPhotos = 150;
const usualRatio = 1.35;

export function sectionsOf(months: Month[]): Section[] {
  const sections: Section[] = [];
  let from = 0;
  for (const { month, count, ratio } of months) {
    const last = sections.at(-1);
    if (last && last.ratio < leastRatio && ratio < 2 * leastRatio && last.count + count <= mostPhotos) {
      last.count += count;
      last.ratio += ratio;
      last.oldest = month;
    } else {
      sections.push({ from, count, ratio, newest: month, oldest: month, isContinued: false });
    }
    from += count;
  }
  return sections.flatMap(cut);
}

/** Of a list whose months are unknown, or mean nothing in its order. */
export function sectionsOfTotal(total: number): Section[] {
  if (total === 0) return [];
  return cut({
    ...{ from: 0, count: total, ratio: total * usualRatio },
    ...{ newest: '', oldest: '', isContinued: true },
  });
}

/** Into parts of one size: no part is so small that its rows could not be filled. */
function cut(section: Section): Section[] {
  const { from, count, ratio } = section;
  if (count <= mostPhotos) return [section];
  const parts = Math.ceil(count / mostPhotos);
  const placeOf = (part: number) => Math.floor((count * part) / parts);
  return Array.from({ length: parts }, (_, part) => {
    const size = placeOf(part + 1) - placeOf(part);
    return {
      ...section,
      from: from + placeOf(part),
      count: size,
      ratio: (ratio * size) / count,
      isContinued: section.isContinued || part > 0,
    };
  });
}

/** "November 2026", "August – November 2026", "2008 – 2011": what stands above a section; '' above none. */
export function headingOf({ newest, oldest, isContinued }: Section, language: string): string {
  if (isContinued || newest === '') return '';
  const [from, to] = [startOf(oldest), startOf(newest)];
  const isLong = newest.slice(0, 4) !== oldest.slice(0, 4);
  const format = new Intl.DateTimeFormat(language, {
    year: 'numeric',
    timeZone: 'UTC',
    ...(isLong ? {} : { month: 'long' }),
  });
  return newest === oldest ? format.format(from) : format.formatRange(from, to);
}

function startOf(month: string): Date {
  return new Date(`${month}-01T00:00:00Z`);
}
