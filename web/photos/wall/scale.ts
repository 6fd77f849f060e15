/**
 * Browsers scroll no further than some 33 million pixels of the screen. A wall that is higher stands in a box that is
 * not: between its ends, each pixel of the box stands for several of the wall. All lengths are in pixels of CSS.
 */
export interface Scale {
  wall: number;
  box: number;
  /** Height of the window. */
  view: number;
}

/** Chromium's limit is 2^25 pixels of the screen, the least of all browsers where a screen has many. */
const mostOfScreen = 32_000_000;
/** Firefox has a limit in pixels of CSS as well, of some 17 million. */
const most = 10_500_000;
/** So near an end, the box scrolls as the wall does. */
const edge = 100_000;

export function boxHeight(wall: number, pixelRatio: number): number {
  return Math.min(wall, most, mostOfScreen / pixelRatio);
}

/** Where in the box the window's top belongs, when it is at this height of the wall. */
export function toBox({ wall, box, view }: Scale, y: number): number {
  if (wall <= box || y <= edge) return y;
  if (y >= wall - view - edge) return y - (wall - box);
  return edge + Math.round(((y - edge) * rangeOf(box, view)) / rangeOf(wall, view));
}

/** How far the box's top then is from the wall's, for a place in the box that a hand has chosen. */
export function baseAt({ wall, box, view }: Scale, inBox: number): number {
  if (wall <= box || inBox <= edge) return 0;
  if (inBox >= box - view - edge) return wall - box;
  return edge + ((inBox - edge) * rangeOf(wall, view)) / rangeOf(box, view) - inBox;
}

/** Whether the base is settled by the place in the box alone. */
export function isAtEdge({ wall, box, view }: Scale, inBox: number): boolean {
  return wall <= box || inBox <= edge || inBox >= box - view - edge;
}

/** At an end of the box that is none of the wall. */
export function isStuck({ wall, box, view }: Scale, inBox: number, base: number): boolean {
  return (inBox < edge / 2 && base !== 0) || (inBox > box - view - edge / 2 && base !== wall - box);
}

/** Between the edges. */
function rangeOf(height: number, view: number): number {
  return height - view - 2 * edge;
}
