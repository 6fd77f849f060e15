import type { Sharp } from 'sharp';
import type { OutputFormat } from './formats.ts';

export type RenditionName = 'thumb' | 'preview' | 'full';

/** How large a rendition is and how it is written. Encoders and qualities were measured: docs/adr/0002. */
export type Rendition = {
  /** Longest side in pixels; a smaller picture stays as it is. */
  side: number;
  /**
   * Pixels over all frames of an animation. Encoding costs by the pixel (about 25 ms a megapixel), so that
   * a long animation gets smaller frames rather than a minute of CPU.
   */
  animationPixels: number;
  still: Encoder;
  /** Where the picture has transparency, which JPEG cannot hold. */
  transparent: Encoder;
  animated: Encoder;
};

export type Encoder = { format: OutputFormat; write: (image: Sharp) => Sharp };

const webp = (quality: number, effort: number): Encoder => ({
  format: 'webp',
  write: (image) => image.webp({ quality, effort }),
});

const jpeg = (quality: number): Encoder => ({
  format: 'jpeg',
  write: (image) => image.jpeg({ quality, optimiseCoding: true }),
});

export const RENDITIONS: Record<RenditionName, Rendition> = {
  thumb: {
    side: 400,
    animationPixels: 10_000_000,
    still: webp(80, 2),
    transparent: webp(80, 2),
    animated: webp(70, 0),
  },
  preview: {
    side: 1600,
    animationPixels: 40_000_000,
    still: jpeg(80),
    transparent: webp(80, 2),
    animated: webp(75, 0),
  },
  full: {
    side: Number.POSITIVE_INFINITY,
    animationPixels: 60_000_000,
    still: jpeg(90),
    transparent: webp(90, 2),
    animated: webp(85, 0),
  },
};

/** PNG has no longest side; JPEG and WebP end at 65,500 and 16,383. */
export const UNLIMITED: Encoder = {
  format: 'png',
  write: (image) => image.png({ compressionLevel: 6, adaptiveFiltering: false }),
};
