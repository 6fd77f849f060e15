import { maxSide, maxTransparentWebpPixels, maxWebpPixels } from './limits.ts';

export type SizeFormat = 'webp' | 'jpg';

/** A picture of a given width. */
export interface SizeRequest {
  /** Upright pixels of the picture that it shows; the file may be a smaller copy of it. */
  width: number;
  height: number;
  hasAlpha: boolean;
  isAnimated: boolean;
  /** Pixels of the result: never more than the picture has. */
  to: number;
  format: SizeFormat;
}

/**
 * In pixels. A picture much taller than wide is made narrower, because formats have a longest side and encoders hold the
 * whole result.
 */
export function sizeOf({ width, height, hasAlpha, to }: Omit<SizeRequest, 'format' | 'isAnimated'>) {
  const scale = Math.min(1, to / width);
  const pixels = width * height * scale * scale;
  const maxPixels = hasAlpha ? maxTransparentWebpPixels : maxWebpPixels;
  const bounded = scale * Math.min(1, maxSide / (height * scale), Math.sqrt(maxPixels / pixels));
  return {
    width: Math.max(1, Math.round(width * bounded)),
    height: Math.max(1, Math.round(height * bounded)),
  };
}
