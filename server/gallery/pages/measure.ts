/** Lengths of a photo wall in pixels, equal to those in `styles/frame.css` and `styles/tokens.css`. */
export interface WallMeasures {
  /** Minimum height in pixels of a full row of photos. */
  row: number;
  gap: number;
  heading: number;
  firstHeading: number;
}

/** Aspect ratio of the invisible item that fills the last row, so that a few photos do not stretch across the wall. */
export const lastRowFillerRatio = 12;

/** Maximum height of a row with few photos, as a multiple of the minimum row height. */
export const maxRowHeightRatio = 2.2;

export function getWallMeasures(windowWidth: number, rem: number): WallMeasures {
  const isWide = windowWidth > 700;
  return {
    row: windowWidth > 1100 ? 212 : isWide ? 160 : 108,
    gap: windowWidth > 1100 ? 5 : isWide ? 4 : 3,
    heading: (isWide ? 4 : 3.25) * rem,
    firstHeading: 3 * rem,
  };
}
