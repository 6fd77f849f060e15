/**
 * Divides a photo wall into sections by month: small months are combined, and large ones are split. The server and the
 * browser call the same function, so that headings do not move.
 */

/** One month in the response of `GET /api/timeline`. */
export interface TimelineMonth {
  month: string;
  count: number;
  /** Sum of the aspect ratios (width / height) of the month's photos. */
  ratio: number;
}

export interface PhotoSection {
  /** Index in the list of the section's first photo, from 0. */
  from: number;
  count: number;
  ratio: number;
  /**
   * Month of the section's first photo, or '' if the list is not sorted by time. `oldest` is the month of its last
   * photo.
   */
  newest: string;
  oldest: string;
  /** Photos below the heading: those of this section and of the sections that continue it. */
  total: number;
  /** True if the section continues the month of the previous section and has no heading. */
  isContinued: boolean;
}

/**
 * Minimum sum of aspect ratios, about three rows of a wide window. A smaller month is combined with the next month of
 * the same year.
 */
const minRatio = 16;
/** Maximum number of photos in a section. The browser lays out a section at once. */
const maxPhotos = 150;
const typicalRatio = 1.35;

export function groupIntoSections(months: TimelineMonth[]): PhotoSection[] {
  const sections: PhotoSection[] = [];
  let from = 0;
  for (const { month, count, ratio } of months) {
    const last = sections.at(-1);
    const isSmall = last && last.ratio < minRatio && ratio < 2 * minRatio && last.count + count <= maxPhotos;
    if (isSmall && readYear(last.oldest) === readYear(month)) {
      last.count += count;
      last.total += count;
      last.ratio += ratio;
      last.oldest = month;
    } else {
      sections.push({ from, count, total: count, ratio, newest: month, oldest: month, isContinued: false });
    }
    from += count;
  }
  return sections.flatMap(splitSection);
}

/** Divides a list of `total` photos into sections without months, for lists that are not sorted by time. */
export function splitTotalIntoSections(total: number): PhotoSection[] {
  if (total === 0) return [];
  return splitSection({
    ...{ from: 0, count: total, total, ratio: total * typicalRatio },
    ...{ newest: '', oldest: '', isContinued: true },
  });
}

/** Splits a large section into parts of equal size, so that every part can fill its rows. */
function splitSection(section: PhotoSection): PhotoSection[] {
  const { from, count, ratio } = section;
  if (count <= maxPhotos) return [section];
  const parts = Math.ceil(count / maxPhotos);
  const partStart = (part: number) => Math.floor((count * part) / parts);
  return Array.from({ length: parts }, (_, part) => {
    const size = partStart(part + 1) - partStart(part);
    return {
      ...section,
      from: from + partStart(part),
      count: size,
      ratio: (ratio * size) / count,
      isContinued: section.isContinued || part > 0,
    };
  });
}

/**
 * Returns the heading of a section, like "November 2026" or "August – November 2026", or '' without a heading.
 */
export function formatSectionHeading(
  { newest, oldest, isContinued }: PhotoSection,
  language: string,
): string {
  if (isContinued || newest === '') return '';
  const [from, to] = [monthStart(oldest), monthStart(newest)];
  const format = new Intl.DateTimeFormat(language, { year: 'numeric', month: 'long', timeZone: 'UTC' });
  if (newest === oldest) return format.format(from);
  // The range of `Intl` for Chinese months is "2026/8 – 2026/11", unlike a single month: "2026年8月".
  if (language.startsWith('zh')) return `${format.format(from)}–${to.getUTCMonth() + 1}月`;
  return format.formatRange(from, to);
}

function readYear(month: string): string {
  return month.slice(0, 4);
}

function monthStart(month: string): Date {
  return new Date(`${month}-01T00:00:00Z`);
}
