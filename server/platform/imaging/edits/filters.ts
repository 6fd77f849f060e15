import type { Matrix3x3, Sharp } from 'sharp';
import { computeTemperatureGains, toneCurves } from './curves.ts';

/**
 * A filter and the range of its value. A filter without `range` ignores its value. A filter has either `apply`, or
 * `curve`: the new brightness of a brightness, both from 0 to 1, for each color by itself.
 */
export interface EditFilter {
  range?: { minimum: number; maximum: number };
  apply?: (image: Sharp, value: number) => Sharp;
  curve?: (level: number, value: number) => number;
}

const percentRange = { minimum: -100, maximum: 100 };

/** Weights of red, green and blue in perceived brightness. */
const lumaWeights = [0.2126, 0.7152, 0.0722] as const;

/** Filters with the formulas of the CSS filters of the same names, so that a page can preview the result. */
export const editFilters: Record<string, EditFilter> = {
  grayscale: { apply: (image) => image.recomb(createSaturationMatrix(0)) },
  sepia: {
    apply: (image) =>
      image.recomb([
        [0.393, 0.769, 0.189],
        [0.349, 0.686, 0.168],
        [0.272, 0.534, 0.131],
      ]),
  },
  invert: { apply: (image) => image.negate({ alpha: false }) },
  blur: { range: { minimum: 0.3, maximum: 100 }, apply: (image, value) => image.blur(value) },
  sharpen: { range: { minimum: 0.5, maximum: 10 }, apply: (image, value) => image.sharpen({ sigma: value }) },
  brightness: { range: percentRange, apply: (image, value) => image.linear(1 + value / 100, 0) },
  contrast: { range: percentRange, apply: (image, value) => image.linear(1 + value / 100, -1.275 * value) },
  saturation: {
    range: percentRange,
    apply: (image, value) => image.recomb(createSaturationMatrix(1 + value / 100)),
  },
  hue: { range: { minimum: -180, maximum: 180 }, apply: (image, value) => image.recomb(hueRotation(value)) },
  temperature: {
    range: percentRange,
    apply: (image, value) => image.recomb(createColorGain(computeTemperatureGains(value))),
  },
  highlights: { range: percentRange, curve: toneCurves.highlights },
  shadows: { range: percentRange, curve: toneCurves.shadows },
};

/** Returns the new value of each of the 256 values of a color, or undefined for a filter without a curve. */
export function computeToneTable(type: string, value: number): Uint8Array | undefined {
  const { curve } = editFilters[type]!;
  return curve && Uint8Array.from({ length: 256 }, (_, level) => Math.round(curve(level / 255, value) * 255));
}

function createColorGain(gains: [number, number, number]): Matrix3x3 {
  return createMatrix((row, column) => (row === column ? gains[row] : 0));
}

/** Returns a matrix that moves each channel away from the pixel's brightness. An amount of 0 gives grayscale. */
function createSaturationMatrix(amount: number): Matrix3x3 {
  return createMatrix((row, column) => lumaWeights[column] * (1 - amount) + (row === column ? amount : 0));
}

/** Returns the matrix of `hueRotate`, see https://www.w3.org/TR/filter-effects-1/#feColorMatrixElement. */
function hueRotation(degrees: number): Matrix3x3 {
  const cos = Math.cos((degrees * Math.PI) / 180);
  const sin = Math.sin((degrees * Math.PI) / 180);
  const bySine = [
    [-0.2126, -0.7152, 0.9278],
    [0.143, 0.14, -0.283],
    [-0.7874, 0.7152, 0.0722],
  ] as const;
  return createMatrix((row, column) => {
    const byCosine = (row === column ? 1 : 0) - lumaWeights[column];
    return lumaWeights[column] + cos * byCosine + sin * bySine[row][column];
  });
}

type Axis = 0 | 1 | 2;

function createMatrix(value: (row: Axis, column: Axis) => number): Matrix3x3 {
  const row = (index: Axis): [number, number, number] => [value(index, 0), value(index, 1), value(index, 2)];
  return [row(0), row(1), row(2)];
}
