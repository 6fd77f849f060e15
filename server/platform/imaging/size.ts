import { maxImageSide, maxTransparentWebpPixels, maxWebpPixels } from './limits.ts';

export type SizeFormat = 'webp' | 'jpg';

/** Request to render a picture at a given width. */
export interface SizeRenderRequest {
  /** Upright width and height of the picture in pixels. The file may be a smaller copy of the picture. */
  width: number;
  height: number;
  hasAlpha: boolean;
  isAnimated: boolean;
  /** Requested width in pixels, at most the picture's own width. */
  to: number;
  format: SizeFormat;
  /** Maximum bytes of a JPEG, which gets a lower quality if it needs more. */
  maxBytes?: number;
}

/**
 * Returns the size in pixels of the rendered picture. A very tall picture becomes narrower, because formats limit the
 * longest side and encoders hold the whole result.
 */
export function computeRenderedSize({
  width,
  height,
  hasAlpha,
  to,
}: Pick<SizeRenderRequest, 'width' | 'height' | 'hasAlpha' | 'to'>) {
  const scale = Math.min(1, to / width);
  const pixels = width * height * scale * scale;
  const maxPixels = hasAlpha ? maxTransparentWebpPixels : maxWebpPixels;
  const bounded = scale * Math.min(1, maxImageSide / (height * scale), Math.sqrt(maxPixels / pixels));
  return {
    width: Math.max(1, Math.round(width * bounded)),
    height: Math.max(1, Math.round(height * bounded)),
  };
}
