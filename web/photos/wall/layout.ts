/**
 * Computes positions of the wall's sections: exact for loaded photos, estimated from aspect ratios otherwise.
 */

import type { WallMeasures } from '../../../server/gallery/pages/measure.ts';
import { estimateRowsHeight, layOutRows, type TileBox } from '../../../server/gallery/pages/rows.ts';
import type { PhotoSection } from '../../../server/gallery/pages/sections.ts';

export interface PlacedSection {
  section: PhotoSection;
  /** Distance from the top of the wall, in pixels. */
  top: number;
  height: number;
  /** Height of the heading above the rows, in pixels. */
  head: number;
  /** Boxes of the section's photos; undefined until the photos are loaded. */
  boxes: TileBox[] | undefined;
}

export interface WallLayout {
  placedSections: PlacedSection[];
  height: number;
}

interface KnownSizes {
  /** Returns the aspect ratios of a section's photos, or undefined if the photos are not loaded. */
  getRatios(section: PhotoSection): number[] | undefined;
  /** Exact heights of sections whose photos have left the cache. */
  heights: Map<number, number>;
}

export function computeLayout(
  sections: PhotoSection[],
  { width, measures }: { width: number; measures: WallMeasures },
  { getRatios, heights }: KnownSizes,
): WallLayout {
  let top = 0;
  const placedSections = sections.map((section, index): PlacedSection => {
    const head = !hasHeading(section) ? 0 : index === 0 ? measures.firstHeading : measures.heading;
    const ratios = getRatios(section);
    const rows = ratios && layOutRows(ratios, width, measures);
    if (rows) heights.set(section.from, rows.height);
    const inner =
      rows?.height ?? heights.get(section.from) ?? estimateRowsHeight(section.ratio, width, measures);
    const place = { section, top, head, height: head + inner + measures.gap, boxes: rows?.boxes };
    top += place.height;
    return place;
  });
  return { placedSections, height: top };
}

function hasHeading({ isContinued, newest }: PhotoSection): boolean {
  return !isContinued && newest !== '';
}

/** Returns the index of the section at this height, or the first or last section outside the wall. */
export function findSectionIndexAt({ placedSections }: WallLayout, y: number): number {
  let low = 0;
  let high = placedSections.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (placedSections[middle]!.top <= y) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Returns the index of the section that holds the photo with this list index. */
export function findSectionIndexOfPhoto({ placedSections }: WallLayout, index: number): number {
  const found = placedSections.findIndex(({ section }) => index < section.from + section.count);
  return found === -1 ? placedSections.length - 1 : found;
}
