import type { Sharp } from 'sharp';
import type { EncodedImage, ImageFormat, OutputFormat } from './formats.ts';
import { maxImageSide, maxTransparentWebpPixels, maxWebpPixels } from './limits.ts';

/** Pictures created from an upload: in sRGB, upright, without metadata. `placeholder` is a ThumbHash in base64. */
export interface Renditions {
  thumb: EncodedImage;
  preview: EncodedImage;
  full?: EncodedImage;
  placeholder: string;
}

export type RenditionName = 'thumb' | 'preview' | 'full';

/** Size and encoders of a rendition. Encoders and qualities were chosen by measurement (docs/adr/0002). */
export interface RenditionSpec {
  /** Maximum length of the longest side in pixels. A smaller picture is not enlarged. */
  side: number;
  /**
   * Maximum pixels over all frames of an animation. Encoding takes up to 25 ms per megapixel, so a long animation gets
   * smaller frames instead of a minute of CPU time.
   */
  animationPixels: number;
  still: RenditionEncoder;
  /** Encoder for a picture with transparency, which JPEG cannot store. */
  transparent: RenditionEncoder;
  animated: RenditionEncoder;
}

/** Timing of an animation: milliseconds per frame, and number of loops (0: endless). */
export interface AnimationTiming {
  delay?: number[];
  loop?: number;
}

/**
 * Encoder of a rendition. `timing` is for frames that were extracted from their file; frames read from a file keep
 * their own timing.
 */
export interface RenditionEncoder {
  format: OutputFormat;
  write: (image: Sharp, timing?: AnimationTiming) => Sharp;
}

const webp = (quality: number, effort: number): RenditionEncoder => ({
  format: 'webp',
  write: (image, timing) => image.webp({ quality, effort, ...timing }),
});

/**
 * Returns a JPEG encoder. Optimized tables save one percent of the bytes but hold six bytes per pixel, so they are off
 * for pictures that may be huge.
 */
const jpeg = (quality: number, optimiseCoding: boolean): RenditionEncoder => ({
  format: 'jpeg',
  write: (image) => image.jpeg({ quality, optimiseCoding }),
});

const png: RenditionEncoder = {
  format: 'png',
  write: (image) => image.png({ compressionLevel: 6, adaptiveFiltering: false }),
};

export const renditionSpecs: Record<RenditionName, RenditionSpec> = {
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
 * Bytes that an animation's preview and thumbnail may each have, however small its file is. Every file is charged for
 * this amount twice, as its renditions (`gallery/photos/upload/quota.ts`).
 */
export const freeAnimationBytes = 512 * 1024;

/**
 * Encoder for animations whose normal encoder exceeds their limit. This encoder writes about two fifths of the bytes.
 */
export const smallerAnimationEncoder = webp(30, 0);

/** Encoders for edited images: the original's format if it can be written, at a quality that a single edit may cost. */
const editedSpec: Partial<Record<ImageFormat, RenditionEncoder>> = {
  png,
  webp: webp(90, 2),
  gif: webp(90, 2),
};
const editedAnimation = webp(90, 1);

/** Size and transparency of an image before encoding. The encoder is chosen by them. */
export interface ImageToEncode {
  width: number;
  height: number;
  hasAlpha: boolean;
}

export function chooseStillEncoder(rendition: RenditionSpec, drawn: ImageToEncode): RenditionEncoder {
  const scale = Math.min(1, rendition.side / Math.max(drawn.width, drawn.height));
  const size = { width: drawn.width * scale, height: drawn.height * scale };
  return chooseFittingEncoder(drawn.hasAlpha ? rendition.transparent : rendition.still, {
    ...drawn,
    ...size,
  });
}

/** Returns the encoder for the edited version of an original in `format`. */
export function chooseEditedEncoder(
  format: ImageFormat,
  drawn: ImageToEncode,
  isAnimated = false,
): RenditionEncoder {
  if (isAnimated) return editedAnimation;
  const { still, transparent } = renditionSpecs.full;
  const other = drawn.hasAlpha ? transparent : still;
  return chooseFittingEncoder(editedSpec[format] ?? other, drawn);
}

/**
 * Returns the encoder, or another one if the picture does not fit. WebP ends at 16,383 pixels per side, JPEG at 65,500;
 * PNG has no limit. A huge WebP would take a gigabyte, while JPEG and PNG are written row by row.
 */
function chooseFittingEncoder(
  encoder: RenditionEncoder,
  { width, height, hasAlpha }: ImageToEncode,
): RenditionEncoder {
  const longest = Math.max(width, height);
  const maxWebp = hasAlpha ? maxTransparentWebpPixels : maxWebpPixels;
  const isHuge = encoder.format === 'webp' && width * height > maxWebp;
  if (longest <= maxImageSide && !isHuge) return encoder;
  return isHuge && !hasAlpha && longest <= maxImageSide ? renditionSpecs.full.still : png;
}
