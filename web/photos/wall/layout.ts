/** Where the sections of a wall stand: exactly where their photos are known, else as their ratios let expect. */

import type { Measures } from '../../../server/gallery/pages/measure.ts';
import { type Box, estimatedHeight, rowsOf } from '../../../server/gallery/pages/rows.ts';
import type { Section } from '../../../server/gallery/pages/sections.ts';

export interface Place {
  section: Section;
  /** From the top of the wall. */
  top: number;
  height: number;
  /** Height of the heading, above the rows. */
  head: number;
  /** Of its photos; undefined until they are known. */
  boxes: Box[] | undefined;
}

export interface Layout {
  places: Place[];
  height: number;
}

interface Known {
  /** Ratios of a section's photos, if they are known. */
  ratiosOf(section: Section): number[] | undefined;
  /** Heights that were exact before their photos were forgotten. */
  heights: Map<number, number>;
}

export function layoutOf(
  sections: Section[],
  { width, measures }: { width: number; measures: Measures },
  { ratiosOf, heights }: Known,
): Layout {
  let top = 0;
  const places = sections.map((section, index): Place => {
    const head = !hasHeading(section) ? 0 : index === 0 ? measures.firstHeading : measures.heading;
    const ratios = ratiosOf(section);
    const rows = ratios && rowsOf(ratios, width, measures);
    if (rows) heights.set(section.from, rows.height);
    const inner =
      rows?.height ?? heights.get(section.from) ?? estimatedHeight(section.ratio, width, measures);
    const place = { section, top, head, height: head + inner + measures.gap, boxes: rows?.boxes };
    top += place.height;
    return place;
  });
  return { places, height: top };
}

function hasHeading({ isContinued, newest }: Section): boolean {
  return !isContinued && newest !== '';
}

/** Place of the section at this height, the first or the last beyond them. */
export function placeAt({ places }: Layout, y: number): number {
  let low = 0;
  let high = places.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (places[middle]!.top <= y) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Place of the section that holds a photo of the list. */
export function placeOfPhoto({ places }: Layout, index: number): number {
  const found = places.findIndex(({ section }) => index < section.from + section.count);
  return found === -1 ? places.length - 1 : found;
}
