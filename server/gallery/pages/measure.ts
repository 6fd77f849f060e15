/** Lengths of a wall in pixels, as `styles/frame.css` and `styles/tokens.css` have them. */
export interface Measures {
  /** The least height of a row that is full. */
  row: number;
  gap: number;
  heading: number;
  firstHeading: number;
}

/** Beside the photos of a last row grows what is as wide as a photo of this ratio. */
export const lastRatio = 12;

/** Of a row that has less than a few pictures: no higher than this many rows. */
export const mostRow = 2.2;

export function measuresOf(windowWidth: number, rem: number): Measures {
  const isWide = windowWidth > 700;
  return {
    row: windowWidth > 1100 ? 212 : isWide ? 160 : 108,
    gap: windowWidth > 1100 ? 5 : isWide ? 4 : 3,
    heading: (isWide ? 4 : 3.25) * rem,
    firstHeading: 3 * rem,
  };
}
