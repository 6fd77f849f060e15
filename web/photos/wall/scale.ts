/**
 * Browsers scroll no further than some 33 million pixels of the screen. A wall that is higher stands in a box that is
 * not: between its ends, each pixel of the box stands for several of the wall. All lengths are in pixels of CSS.
 */
export interface ScrollScale {
  wall: number;
  box: number;
  /** Height of the window. */
  view: number;
}

/** Chromium's limit is 2^25 pixels of the screen, the least of all browsers where a screen has many. */
const maxScreenPixels = 32_000_000;
/** Firefox has a limit in pixels of CSS as well, of some 17 million. */
const maxCssPixels = 10_500_000;
/** So near an end, the box scrolls as the wall does. */
const edgePixels = 100_000;

export function boxHeight(wall: number, pixelRatio: number): number {
  return Math.min(wall, maxCssPixels, maxScreenPixels / pixelRatio);
}

/** Where in the box the window's top belongs, when it is at this height of the wall. */
export function wallToBox({ wall, box, view }: ScrollScale, y: number): number {
  if (wall <= box || y <= edgePixels) return y;
  if (y >= wall - view - edgePixels) return y - (wall - box);
  return (
    edgePixels + Math.round(((y - edgePixels) * rangeBetweenEdges(box, view)) / rangeBetweenEdges(wall, view))
  );
}

/** How far the box's top then is from the wall's, for a place in the box that a hand has chosen. */
export function computeBase({ wall, box, view }: ScrollScale, inBox: number): number {
  if (wall <= box || inBox <= edgePixels) return 0;
  if (inBox >= box - view - edgePixels) return wall - box;
  return (
    edgePixels + ((inBox - edgePixels) * rangeBetweenEdges(wall, view)) / rangeBetweenEdges(box, view) - inBox
  );
}

/** Whether the base is settled by the place in the box alone. */
export function isAtEdge({ wall, box, view }: ScrollScale, inBox: number): boolean {
  return wall <= box || inBox <= edgePixels || inBox >= box - view - edgePixels;
}

/** At an end of the box that is none of the wall. */
export function isStuckAtEnd({ wall, box, view }: ScrollScale, inBox: number, base: number): boolean {
  return (
    (inBox < edgePixels / 2 && base !== 0) || (inBox > box - view - edgePixels / 2 && base !== wall - box)
  );
}

/** Between the edges. */
function rangeBetweenEdges(height: number, view: number): number {
  return height - view - 2 * edgePixels;
}
