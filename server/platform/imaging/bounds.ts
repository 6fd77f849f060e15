/**
 * Estimates the maximum memory of an imaging job, in bytes beyond its worker's own memory: decoder, pixels and encoder
 * at their peak. The queue runs as many jobs at once as fit. A job that takes more is killed by the system or by the
 * watch. The figures were measured with pictures of 40 megapixels and rounded up (ADR 23).
 */
import type { EditStep } from './edits/actions.ts';
import { checkEditStep } from './edits/check.ts';
import { formatsNeedingFullRendition, type ImageFormat } from './formats.ts';
import { animationBatchPixels, maxTransparentWebpPixels, maxWebpPixels } from './limits.ts';
import { renditionSpecs } from './renditions.ts';
import { computeRenderedSize, type SizeRenderRequest } from './size.ts';
import type { PictureStructure } from './structure/structure.ts';

/**
 * Memory of an ordinary job in bytes. A photo of 12 megapixels takes 80 MB, and a worker that has processed forty
 * photos holds as much again.
 */
export const ordinaryJobBytes = 160_000_000;

/** Bytes that any job needs: memory held from earlier jobs, rows in progress, and encoded renditions. */
const baseBytes = 60_000_000;

/** Bytes per pixel that each format's decoder holds while rows are read from it. */
const decoderBytesPerPixel: Record<ImageFormat, number> = {
  // Shrinking while decoding took 0.4 bytes per pixel of 40 and of 200 megapixels, beyond the bytes of any job.
  jpeg: 0.6,
  png: 1.5,
  gif: 6,
  webp: 4.5,
  avif: 21,
  tiff: 1.5,
  heic: 13,
};

/** Bytes of libheif's WebAssembly program and its memory. */
const heicBytes = 90_000_000;

/**
 * Number of rows held in all steps together. A row is as long as the picture's longest side, because a step may rotate
 * the picture. Measured with pictures 32,000 to 6,000,000 pixels wide; TIFF and GIF need the most. A PNG of 200 bytes
 * that claims 50,000,000 by 2 pixels took 5 GB.
 */
const rowsInProgress = 450;

/** Bytes per pixel that the JPEG and PNG encoders hold, including their output. */
const encoderBytesPerPixel = 1.5;
/**
 * Bytes per pixel that the WebP encoder holds for opaque pictures, and for transparent ones with noise. WebP is written
 * only when all pixels are there.
 */
const webpEncoderBytesPerPixel = 8;
const transparentWebpEncoderBytesPerPixel = 33;
/**
 * Bytes per pixel that a rotating, mirroring, blurring or sharpening step holds, for the picture and some extra rows.
 */
const stepExtra = 2.2;
/** Bytes per pixel of all frames of an animation's preview, which has at most 40 megapixels. */
const previewFrameBytes = 5;
/** Bytes per pixel of an animation's canvas, and bytes per pixel of all its frames. */
const canvasBytes = 16;
const rollBytes = 4;
/**
 * Bytes per pixel of all frames that an edit writes, and that the `full` rendition collects if the frames are noise.
 */
const editedRollBytes = 5;
const fullRollBytes = 9;
const decodedAvif = 9;

/** Returns the maximum memory in bytes for decoding the picture to any size. */
export function estimateDecodeBytes(picture: PictureStructure): number {
  const { width, height, sampleBytes, decodedPixels, format } = picture;
  // The figures of HEIC and AVIF were measured with a transparency layer of the picture's size.
  const flat = Math.max(decodedPixels / 2, width * height) * countHeldBytes(picture);
  const program = format === 'heic' ? heicBytes : 0;
  return (
    baseBytes + program + Math.round(flat + rowsInProgress * Math.max(width, height) * Math.ceil(sampleBytes))
  );
}

function countHeldBytes({ format, sampleBytes, isProgressive, hasAlpha, color }: PictureStructure): number {
  // A PNG with colors by numbers is turned upright as a whole before its colors are converted.
  if (color && format === 'png') return decoderBytesPerPixel.png + 2 * Math.max(4, sampleBytes);
  // A progressive JPEG's decoder holds all coefficients before the first row, two bytes per sample.
  if (format === 'jpeg' && isProgressive) return decoderBytesPerPixel.jpeg + 2 * sampleBytes;
  if (format === 'png' && isProgressive) return decoderBytesPerPixel.png + sampleBytes;
  if (format === 'avif' && sampleBytes > (hasAlpha ? 4 : 3)) return decoderBytesPerPixel.avif * 1.5;
  // Rows are converted while they are read, and rows with many or wide samples need more memory.
  if (format === 'png' || format === 'tiff') return Math.max(decoderBytesPerPixel[format], sampleBytes / 2);
  return decoderBytesPerPixel[format];
}

/** Returns the maximum memory in bytes for an animation's preview. `pixels` counts the pixels of all frames. */
function previewBytes(pixels: number): number {
  return Math.min(pixels, renditionSpecs.preview.animationPixels) * previewFrameBytes;
}

/**
 * Returns the maximum memory in bytes for all renditions of an upload. `withFull` requests the `full` rendition also
 * for a format that browsers can show.
 */
export function estimateUploadBytes(picture: PictureStructure, withFull: boolean): number {
  const { width, height, frames, format } = picture;
  const isFull = withFull || formatsNeedingFullRendition.includes(format);
  if (frames === 1) return isFull ? fullBytes(picture) : estimateDecodeBytes(picture);
  const pixels = width * height;
  const written = Math.min(pixels * frames, renditionSpecs.full.animationPixels);
  const full = isFull ? pixels * transparentWebpEncoderBytesPerPixel + written * fullRollBytes : 0;
  return baseBytes + previewBytes(pixels * frames) + pixels * (frames * rollBytes + canvasBytes) + full;
}

function fullBytes(picture: PictureStructure): number {
  const { width, height, hasAlpha, format } = picture;
  const pixels = width * height;
  const encoder = hasAlpha
    ? Math.min(pixels, maxTransparentWebpPixels) * transparentWebpEncoderBytesPerPixel
    : pixels * encoderBytesPerPixel;
  // The AVIF decoder has released most of its memory when its first row is available.
  if (format === 'avif')
    return Math.max(estimateDecodeBytes(picture), baseBytes + pixels * decodedAvif + encoder);
  return wholeBytes(picture) + encoder;
}

/**
 * Returns the maximum memory in bytes for decoding at full size. If Exif requires a rotation, the whole picture is
 * held, and twice by two of the decoders.
 */
function wholeBytes(picture: PictureStructure): number {
  const { width, height, hasAlpha, format } = picture;
  const copy = format === 'webp' || format === 'gif' ? 4.5 : 0;
  const turned = format === 'avif' || format === 'heic' ? 0 : hasAlpha ? 4 : 3;
  return estimateDecodeBytes(picture) + width * height * (copy + turned);
}

/**
 * Returns the maximum memory in bytes for rendering a size from a file, or from a small preview if `picture` is null.
 */
export function estimateSizeJobBytes(request: SizeRenderRequest, picture: PictureStructure | null): number {
  const { width, height } = computeRenderedSize(request);
  const { format, hasAlpha, isAnimated } = request;
  const encoder =
    format === 'jpg'
      ? encoderBytesPerPixel
      : hasAlpha
        ? transparentWebpEncoderBytesPerPixel
        : webpEncoderBytesPerPixel;
  const decoder = picture ? estimateDecodeBytes(picture) : baseBytes;
  return decoder + width * height * encoder + (isAnimated ? previewBytes(Infinity) : 0);
}

/**
 * Returns the maximum memory in bytes for an edit with all its steps. `upright` is the size in pixels after the Exif
 * rotation. Throws EditError if a step does not fit the picture.
 */
export function estimateEditBytes(
  picture: PictureStructure,
  upright: { width: number; height: number },
  steps: EditStep[],
  maxMegapixels?: number,
): number {
  const { frames, format, hasAlpha } = picture;
  let size = { ...upright, frames };
  let pixels = size.width * size.height;
  for (const step of steps) {
    size = { ...checkEditStep(size, step, maxMegapixels), frames };
    pixels = Math.max(pixels, size.width * size.height);
  }
  if (frames > 1) return editedAnimationBytes(picture, pixels, size);
  const channels = hasAlpha ? 4 : 3;
  const encoder = encoderBytes(format, hasAlpha, size.width * size.height);
  const steady = baseBytes + Math.max(pixels * (channels + stepExtra), encoder);
  return Math.max(wholeBytes(picture) + picture.width * picture.height, steady);
}

function encoderBytes(format: ImageFormat, hasAlpha: boolean, pixels: number): number {
  const mayBeWebp = format === 'webp' || format === 'gif' || (hasAlpha && format !== 'png');
  const isWebp = mayBeWebp && pixels <= (hasAlpha ? maxTransparentWebpPixels : maxWebpPixels);
  if (!isWebp) return pixels * encoderBytesPerPixel;
  return pixels * (hasAlpha ? transparentWebpEncoderBytesPerPixel : webpEncoderBytesPerPixel);
}

/**
 * Returns the maximum memory in bytes for editing an animation. All result frames are held, and a batch of source
 * frames, and one step before and after.
 */
function editedAnimationBytes(
  picture: PictureStructure,
  pixels: number,
  size: { width: number; height: number },
): number {
  const { width, height, frames } = picture;
  const batch = Math.max(width * height, Math.min(animationBatchPixels, width * height * frames));
  const roll = size.width * size.height * frames * editedRollBytes;
  return (
    previewBytes(width * height * frames) +
    estimateDecodeBytes(picture) +
    roll +
    batch * 8 +
    pixels * (8 + transparentWebpEncoderBytesPerPixel)
  );
}
