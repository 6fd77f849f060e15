/**
 * Computes justified rows from aspect ratios. Flexbox computes the same rows for the document's first photos, so that
 * no photo moves when the script takes over. A row takes all photos that fit at the minimum height, then grows to the
 * full width.
 */
import { lastRowFillerRatio, type WallMeasures } from './measure.ts';

export interface TileBox {
  left: number;
  top: number;
  width: number;
  height: number;
}

export interface LaidOutRows {
  boxes: TileBox[];
  height: number;
}

export function layOutRows(ratios: number[], width: number, measures: WallMeasures): LaidOutRows {
  const { row, gap } = measures;
  const boxes: TileBox[] = [];
  let top = 0;
  for (let start = 0; start < ratios.length; ) {
    const end = findRowEnd(ratios, start, width, row, gap);
    const own = ratios.slice(start, end);
    const height = computeRowHeight(own, width, measures, end === ratios.length);
    let left = 0;
    for (const ratio of own) {
      boxes.push({ left, top, width: ratio * height, height });
      left += ratio * height + gap;
    }
    top += height + gap;
    start = end;
  }
  return { boxes, height: Math.max(0, top - gap) };
}

function findRowEnd(ratios: number[], start: number, width: number, row: number, gap: number): number {
  let used = ratios[start]! * row;
  let end = start + 1;
  while (end < ratios.length && used + gap + ratios[end]! * row <= width) {
    used += gap + ratios[end]! * row;
    end++;
  }
  return end;
}

function computeRowHeight(
  own: number[],
  width: number,
  { row, growth, gap }: WallMeasures,
  isLast: boolean,
): number {
  const sum = own.reduce((total, ratio) => total + ratio, 0);
  const free = width - gap * (own.length - 1) - sum * row;
  // A single photo may be wider than the photo wall, and its row then becomes lower.
  if (free < 0) return row + free / sum;
  return Math.min(row * growth, row + free / (sum + (isLast ? lastRowFillerRatio : 0)));
}

/** Estimates the height of rows from the sum of their aspect ratios, before the single ratios are known. */
export function estimateRowsHeight(ratio: number, width: number, { row, growth, gap }: WallMeasures): number {
  // On average, a row lacks half a photo, because a row is full when the next photo no longer fits.
  const perRow = Math.max(1, width / row - 0.7);
  const rows = Math.max(1, Math.round(ratio / perRow));
  const height = Math.min(width / perRow, row * growth);
  return rows * (height + gap) - gap;
}
