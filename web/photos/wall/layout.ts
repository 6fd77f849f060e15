/** Where the sections of a wall stand: exactly where their photos are known, else as their ratios let expect. */

import type { WallMeasures } from '../../../server/gallery/pages/measure.ts';
import { type Box, estimatedHeight, rowsOf } from '../../../server/gallery/pages/rows.ts';
import type { Section } from '../../../server/gallery/pages/sections.ts';

export interface PlacedSection {
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
  placedSections: PlacedSection[];
  height: number;
}

interface KnownSizes {
  /** Ratios of a section's photos, if they are known. */
  getRatios(section: Section): number[] | undefined;
  /** Heights that were exact before their photos were forgotten. */
  heights: Map<number, number>;
}

export function computeLayout(
  sections: Section[],
  { width, measures }: { width: number; measures: WallMeasures },
  { getRatios, heights }: KnownSizes,
): Layout {
  let top = 0;
  const placedSections = sections.map((section, index): PlacedSection => {
    const head = !hasHeading(section) ? 0 : index === 0 ? measures.firstHeading : measures.heading;
    const ratios = getRatios(section);
    const rows = ratios && rowsOf(ratios, width, measures);
    if (rows) heights.set(section.from, rows.height);
    const inner =
      rows?.height ?? heights.get(section.from) ?? estimatedHeight(section.ratio, width, measures);
    const place = { section, top, head, height: head + inner + measures.gap, boxes: rows?.boxes };
    top += place.height;
    return place;
  });
  return { placedSections, height: top };
}

function hasHeading({ isContinued, newest }: Section): boolean {
  return !isContinued && newest !== '';
}

/** Place of the section at this height, the first or the last beyond them. */
export function findSectionIndexAt({ placedSections }: Layout, y: number): number {
  let low = 0;
  let high = placedSections.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (placedSections[middle]!.top <= y) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Place of the section that holds a photo of the list. */
export function findSectionIndexOfPhoto({ placedSections }: Layout, index: number): number {
  const found = placedSections.findIndex(({ section }) => index < section.from + section.count);
  return found === -1 ? placedSections.length - 1 : found;
}
