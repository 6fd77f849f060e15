/**
 * Maps a tall wall to a shorter scroll box, because browsers limit the scroll height to about 33 million
 * device pixels. Between the ends of the box, each of its pixels stands for several pixels of the wall. All
 * lengths are CSS pixels.
 */
export interface ScrollScale {
  wall: number;
  box: number;
  /** Height of the window in CSS pixels. */
  view: number;
}

/** Chromium's limit is 2^25 device pixels, the lowest of all browsers on screens with many pixels. */
const maxScreenPixels = 32_000_000;
/** Firefox also limits CSS pixels, to about 17 million. */
const maxCssPixels = 10_500_000;
/** Within this distance of an end, the box scrolls pixel by pixel like the wall. */
const edgePixels = 100_000;

export function computeScrollBoxHeight(wall: number, pixelRatio: number): number {
  return Math.min(wall, maxCssPixels, maxScreenPixels / pixelRatio);
}

/** Returns the scroll position in the box for a position in the wall. */
export function toScrollBoxPosition({ wall, box, view }: ScrollScale, y: number): number {
  if (wall <= box || y <= edgePixels) return y;
  if (y >= wall - view - edgePixels) return y - (wall - box);
  return (
    edgePixels + Math.round(((y - edgePixels) * rangeBetweenEdges(box, view)) / rangeBetweenEdges(wall, view))
  );
}

/** Returns the offset between wall and box for a scroll position that the user chose in the box. */
export function computeScrollOffset({ wall, box, view }: ScrollScale, inBox: number): number {
  if (wall <= box || inBox <= edgePixels) return 0;
  if (inBox >= box - view - edgePixels) return wall - box;
  return (
    edgePixels + ((inBox - edgePixels) * rangeBetweenEdges(wall, view)) / rangeBetweenEdges(box, view) - inBox
  );
}

/**
 * Returns whether the scroll position alone determines the offset: near an end, or if the wall fits into the
 * box.
 */
export function isAtScrollEdge({ wall, box, view }: ScrollScale, inBox: number): boolean {
  return wall <= box || inBox <= edgePixels || inBox >= box - view - edgePixels;
}

/** Returns whether the box is near its end while the wall is not. */
export function isScrollStuckAtEnd({ wall, box, view }: ScrollScale, inBox: number, base: number): boolean {
  return (
    (inBox < edgePixels / 2 && base !== 0) || (inBox > box - view - edgePixels / 2 && base !== wall - box)
  );
}

/** Returns the scroll range between the two edge zones. */
function rangeBetweenEdges(height: number, view: number): number {
  return height - view - 2 * edgePixels;
}
