import type { Sharp } from 'sharp';
import type { Encoded, Format, OutputFormat } from './formats.ts';
import { maxSide, maxTransparentWebpPixels, maxWebpPixels } from './limits.ts';

/** What is made of an upload: sRGB, upright, without metadata. `placeholder` is a ThumbHash in base64. */
export interface Renditions {
  thumb: Encoded;
  preview: Encoded;
  full?: Encoded;
  placeholder: string;
}

export type RenditionName = 'thumb' | 'preview' | 'full';

/** How large a rendition is and how it is written. Encoders and qualities were measured: docs/adr/0002. */
export interface Rendition {
  /** Longest side in pixels; a smaller picture stays as it is. */
  side: number;
  /**
   * Pixels over all frames of an animation. Encoding costs by the pixel (up to 25 ms a megapixel), so that
   * a long animation gets smaller frames rather than a minute of CPU.
   */
  animationPixels: number;
  still: Encoder;
  /** Where the picture has transparency, which JPEG cannot hold. */
  transparent: Encoder;
  animated: Encoder;
}

/** When frames follow, milliseconds each, and how often they loop (0: for ever). */
export interface Timing {
  delay?: number[];
  loop?: number;
}

/** `timing` is for frames that were taken out of their file; those read from one keep theirs. */
export interface Encoder {
  format: OutputFormat;
  write: (image: Sharp, timing?: Timing) => Sharp;
}

const webp = (quality: number, effort: number): Encoder => ({
  format: 'webp',
  write: (image, timing) => image.webp({ quality, effort, ...timing }),
});

/** Optimised tables save a hundredth of the bytes, and hold six bytes of each pixel: not for what may be huge. */
const jpeg = (quality: number, optimiseCoding: boolean): Encoder => ({
  format: 'jpeg',
  write: (image) => image.jpeg({ quality, optimiseCoding }),
});

const png: Encoder = {
  format: 'png',
  write: (image) => image.png({ compressionLevel: 6, adaptiveFiltering: false }),
};

export const renditionSpecs: Record<RenditionName, Rendition> = {
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
    still: jpeg(80, true),
    transparent: webp(80, 2),
    animated: webp(75, 0),
  },
  full: {
    side: Number.POSITIVE_INFINITY,
    animationPixels: 60_000_000,
    still: jpeg(90, false),
    transparent: webp(90, 2),
    animated: webp(85, 0),
  },
};

/**
 * Bytes that the preview of an animation may have whatever its file has, and its thumbnail likewise. Both together are
 * what every file is charged for its renditions (gallery/photos/upload/quota.ts).
 */
export const freeAnimationBytes = 512 * 1024;

/** Writes some two fifths of the bytes, for animations whose own encoder exceeds their bound. */
export const sparingAnimation = webp(30, 0);

/** Edited images: in the original's format where that is one to write, at a quality that one edit may cost. */
const editedSpec: Partial<Record<Format, Encoder>> = { png, webp: webp(90, 2), gif: webp(90, 2) };
const editedAnimation = webp(90, 1);

export interface Drawn {
  width: number;
  height: number;
  hasAlpha: boolean;
}

export function stillEncoder(rendition: Rendition, drawn: Drawn): Encoder {
  const scale = Math.min(1, rendition.side / Math.max(drawn.width, drawn.height));
  const size = { width: drawn.width * scale, height: drawn.height * scale };
  return fitting(drawn.hasAlpha ? rendition.transparent : rendition.still, { ...drawn, ...size });
}

/** The encoder for what became of an original in `format` by its edits. */
export function editedEncoder(format: Format, drawn: Drawn, isAnimated = false): Encoder {
  if (isAnimated) return editedAnimation;
  const { still, transparent } = renditionSpecs.full;
  const other = drawn.hasAlpha ? transparent : still;
  return fitting(editedSpec[format] ?? other, drawn);
}

/**
 * PNG has no longest side; WebP ends at 16,383 and JPEG at 65,500. A huge WebP would take a gigabyte to write: JPEG and
 * PNG are written row by row.
 */
function fitting(encoder: Encoder, { width, height, hasAlpha }: Drawn): Encoder {
  const longest = Math.max(width, height);
  const maxWebp = hasAlpha ? maxTransparentWebpPixels : maxWebpPixels;
  const isHuge = encoder.format === 'webp' && width * height > maxWebp;
  if (longest <= maxSide && !isHuge) return encoder;
  return isHuge && !hasAlpha && longest <= maxSide ? renditionSpecs.full.still : png;
}
