/** Translates edit steps into CSS: one transform for geometry, and a list of filters. */
import { computeTemperatureGains, toneCurves } from '../../server/platform/imaging/edits/curves.ts';
import type { EditStep } from '../api/types.ts';
import { computeSizeAfterStep, type PixelSize } from './steps.ts';

/** `x' = a x + c y + e`, `y' = b x + d y + f`: maps pixels of the original to pixels of the result. */
export type TransformMatrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

export interface PreviewFilter {
  type: string;
  /** Strength of the filter. The unit of blur and sharpen is a pixel of the original. */
  value: number;
}

export interface EditPreview {
  size: PixelSize;
  matrix: TransformMatrix;
  filters: PreviewFilter[];
}

export function computeEditPreview(original: PixelSize, steps: EditStep[]): EditPreview {
  let shown: EditPreview = { size: original, matrix: [1, 0, 0, 1, 0, 0], filters: [] };
  for (const step of steps) {
    const { size, matrix, filters } = shown;
    shown = {
      size: computeSizeAfterStep(size, step),
      matrix: multiplyMatrices(createStepMatrix(size, step), matrix),
      filters: step.action === 'filter' ? [...filters, scaleFilter(step.params, matrix)] : filters,
    };
  }
  return shown;
}

function scaleFilter(
  { type, value = 1 }: { type: string; value?: number | undefined },
  matrix: TransformMatrix,
): PreviewFilter {
  const isOfPixels = type === 'blur' || type === 'sharpen';
  return { type, value: isOfPixels ? value / computeTransformScale(matrix) : value };
}

/** Returns the factor by which a transform scales lengths: the geometric mean of both directions. */
export function computeTransformScale([a, b, c, d]: TransformMatrix): number {
  return Math.sqrt(Math.abs(a * d - b * c)) || 1;
}

function createStepMatrix({ width, height }: PixelSize, step: EditStep): TransformMatrix {
  switch (step.action) {
    case 'crop':
      return [1, 0, 0, 1, -step.params.x, -step.params.y];
    case 'rotate':
      if (step.params.angle === 90) return [0, 1, -1, 0, height, 0];
      if (step.params.angle === 180) return [-1, 0, 0, -1, width, height];
      return [0, -1, 1, 0, 0, width];
    case 'straighten': {
      const after = computeSizeAfterStep({ width, height }, step);
      const radians = (step.params.angle * Math.PI) / 180;
      const [cos, sin] = [Math.cos(radians), Math.sin(radians)];
      const [x, y] = [width / 2, height / 2];
      return [cos, sin, -sin, cos, after.width / 2 - cos * x + sin * y, after.height / 2 - sin * x - cos * y];
    }
    case 'flip':
      return step.params.direction === 'h' ? [-1, 0, 0, 1, width, 0] : [1, 0, 0, -1, 0, height];
    case 'resize': {
      const after = computeSizeAfterStep({ width, height }, step);
      return [after.width / width, 0, 0, after.height / height, 0, 0];
    }
    default:
      return [1, 0, 0, 1, 0, 0];
  }
}

function multiplyMatrices(
  [a, b, c, d, e, f]: TransformMatrix,
  [g, h, i, j, k, l]: TransformMatrix,
): TransformMatrix {
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
}

/**
 * Returns a CSS filter list. `scale` is page pixels per original pixel; `svgUrl` returns the URL of the SVG
 * filter of a filter that CSS lacks.
 */
export function buildCssFilter(
  filters: PreviewFilter[],
  scale: number,
  svgUrl: (index: number) => string,
): string | undefined {
  const each = filters.map(({ type, value }, index) => {
    switch (type) {
      case 'hue':
        return `hue-rotate(${value}deg)`;
      case 'blur':
        return `blur(${value * scale}px)`;
      case 'sharpen':
      case 'temperature':
      case 'highlights':
      case 'shadows':
        return svgUrl(index);
      case 'saturation':
        return `saturate(${1 + value / 100})`;
      case 'brightness':
      case 'contrast':
        return `${type}(${1 + value / 100})`;
      default:
        return `${type}(1)`;
    }
  });
  return each.join(' ') || undefined;
}

/** Number of points of a curve in an SVG filter, which draws straight lines between the points. */
const curvePoints = 33;

/** Returns the new values of red, green and blue for a filter of tones or temperature, as lists for SVG. */
export function computeSvgTables({ type, value }: PreviewFilter): string[] | undefined {
  if (type === 'temperature') return computeTemperatureGains(value).map((gain) => `0 ${gain}`);
  if (type !== 'highlights' && type !== 'shadows') return undefined;
  const curve = toneCurves[type];
  const points = Array.from({ length: curvePoints }, (_, at) =>
    curve(at / (curvePoints - 1), value).toFixed(4),
  );
  return Array.from({ length: 3 }, () => points.join(' '));
}
