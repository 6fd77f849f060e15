/** How high the rows of a photo wall are. The user chooses a density, which the browser remembers. */
export const densities = ['comfortable', 'normal', 'compact'] as const;
export type Density = (typeof densities)[number];

/** Lengths of a photo wall in pixels, equal to those in `styles/wall.css` and `styles/tokens.css`. */
export interface WallMeasures {
  /** Minimum height in pixels of a full row of photos. */
  row: number;
  /**
   * Maximum height of a row, as a multiple of its minimum. On phones, a single photo before a panorama fills the width.
   */
  growth: number;
  gap: number;
  heading: number;
  firstHeading: number;
}

/** Aspect ratio of the invisible item that fills the last row, so that a few photos do not stretch across the wall. */
export const lastRowFillerRatio = 40;

const rowHeights = {
  phone: { comfortable: 150, normal: 108, compact: 76 },
  tablet: { comfortable: 210, normal: 160, compact: 112 },
  desktop: { comfortable: 240, normal: 180, compact: 120 },
};

export function getWallMeasures(windowWidth: number, rem: number, density: Density = 'normal'): WallMeasures {
  const isWide = windowWidth > 700;
  const screen = windowWidth > 1100 ? 'desktop' : isWide ? 'tablet' : 'phone';
  return {
    row: rowHeights[screen][density],
    growth: isWide ? 1.6 : 2.4,
    gap: windowWidth > 1100 ? 5 : isWide ? 4 : 3,
    heading: (isWide ? 4 : 3.25) * rem,
    firstHeading: 3 * rem,
  };
}
