/** Colors that a file declares by numbers instead of an ICC profile. */

/** Curve from stored values to light. The tone curve for `pq` and `hlg` is part of the curve. */
export type TransferCurve = 'srgb' | 'pq' | 'hlg' | { gamma: number };

export interface DeclaredColor {
  /** Chromaticities x and y of red, green, blue and white. */
  chromaticities: number[];
  curve: TransferCurve;
}

const d65 = [0.3127, 0.329];
const srgb = [0.64, 0.33, 0.3, 0.6, 0.15, 0.06, ...d65];
const smpte170m = [0.63, 0.34, 0.31, 0.595, 0.155, 0.07, ...d65];

/** Chromaticities by number of ITU-T H.273. Number 2 means that they are unknown, and sRGB is assumed. */
const chromaticitiesByNumber: Record<number, number[]> = {
  4: [0.67, 0.33, 0.21, 0.71, 0.14, 0.08, 0.31, 0.316],
  5: [0.64, 0.33, 0.29, 0.6, 0.15, 0.06, ...d65],
  6: smpte170m,
  7: smpte170m,
  8: [0.681, 0.319, 0.243, 0.692, 0.145, 0.049, 0.31, 0.316],
  9: [0.708, 0.292, 0.17, 0.797, 0.131, 0.046, ...d65],
  11: [0.68, 0.32, 0.265, 0.69, 0.15, 0.06, 0.314, 0.351],
  12: [0.68, 0.32, 0.265, 0.69, 0.15, 0.06, ...d65],
  22: [0.63, 0.34, 0.295, 0.605, 0.155, 0.077, ...d65],
};

/**
 * Curves by number of ITU-T H.273. Browsers show the curves of television (1, 6, 14, 15) as sRGB, because encoders write
 * these numbers for ordinary pictures.
 */
const curveByNumber: Record<number, TransferCurve> = {
  4: { gamma: 2.2 },
  5: { gamma: 2.8 },
  8: { gamma: 1 },
  16: 'pq',
  17: { gamma: 2.6 },
  18: 'hlg',
};

/** Returns the colors for two numbers of ITU-T H.273, or undefined for sRGB. */
export function readColorNumbers(primaries: number, transfer: number): DeclaredColor | undefined {
  return describeUnlessSrgb(lookUpColors(primaries, transfer));
}

/** Returns the colors for two numbers of ITU-T H.273, also for sRGB. */
export function lookUpColors(primaries: number, transfer: number): DeclaredColor {
  return {
    chromaticities: chromaticitiesByNumber[primaries] ?? srgb,
    curve: curveByNumber[transfer] ?? 'srgb',
  };
}

/** Differences up to this one are rounding errors of encoders. */
const chromaticityTolerance = 0.005;
const gammaTolerance = 0.1;
const srgbGamma = 2.2;
const chromaticityCount = 8;

/**
 * Returns the colors for the chunks `cHRM` and `gAMA` of a PNG, which may be missing, or undefined for sRGB. Throws
 * nothing: impossible values mean sRGB, too.
 */
export function readPngColors(chrm: Buffer | undefined, gama: Buffer | undefined): DeclaredColor | undefined {
  const numbers = Array.from({ length: chromaticityCount }, (_, index) =>
    chrm && chrm.length >= 4 * chromaticityCount ? chrm.readUInt32BE(4 * index) / 100_000 : undefined,
  );
  // The chunk begins with white, which is the last one here.
  const [whiteX, whiteY, ...primaries] = numbers;
  const found = [...primaries, whiteX, whiteY].filter((number) => number !== undefined);
  const gamma = gama && gama.length >= 4 ? 100_000 / gama.readUInt32BE(0) : srgbGamma;
  const isOdd = !(gamma >= 1 && gamma <= 4) || Math.abs(gamma - srgbGamma) < gammaTolerance;
  return describeUnlessSrgb({
    chromaticities: arePossible(found) ? found : srgb,
    curve: isOdd ? 'srgb' : { gamma },
  });
}

/** Whether the chromaticities are those of three different colors around a white. */
function arePossible(chromaticities: number[]): boolean {
  if (chromaticities.length < chromaticityCount) return false;
  const areColors = chromaticities.every((value, index) => value < 1 && (index % 2 === 0 || value > 0.01));
  const [rx = 0, ry = 0, gx = 0, gy = 0, bx = 0, by = 0] = chromaticities;
  const area = (gx - rx) * (by - ry) - (bx - rx) * (gy - ry);
  return areColors && area > 0.02;
}

function describeUnlessSrgb(color: DeclaredColor): DeclaredColor | undefined {
  const isSrgb = color.chromaticities.every(
    (value, index) => Math.abs(value - srgb[index]!) <= chromaticityTolerance,
  );
  return isSrgb && color.curve === 'srgb' ? undefined : color;
}
