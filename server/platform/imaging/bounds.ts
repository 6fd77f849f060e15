/**
 * The most that a job may hold in memory, in bytes beyond what its worker holds before: decoder, pixels and encoder at
 * their worst moment. The queue runs as many jobs at once as fit. The system or the watch ends a job that takes more. The
 * figures were measured as the growth of a process's largest memory at 40 megapixels, and rounded up (ADR 23).
 */
import type { EditStep } from './edits/actions.ts';
import { checkStep } from './edits/check.ts';
import { type Format, needsFull } from './formats.ts';
import { batchPixels, maxTransparentWebpPixels, maxWebpPixels } from './limits.ts';
import { renditionSpecs } from './renditions.ts';
import { type SizeRequest, sizeOf } from './size.ts';
import type { Structure } from './structure/structure.ts';

/** A photo of 12 megapixels takes 80 MB; a worker that has done forty of them has kept as much again. */
export const ordinaryBytes = 160_000_000;

/** Memory that a worker keeps from earlier jobs, rows under way, and the encoded renditions. */
const baseBytes = 60_000_000;

/** Bytes of each pixel that a decoder holds while rows are taken from it. */
const heldBytes: Record<Format, number> = {
  jpeg: 1,
  png: 1.5,
  gif: 6,
  webp: 4.5,
  avif: 21,
  tiff: 1.5,
  heic: 13,
};

/** libheif's program and its memory, in WebAssembly. */
const heicBytes = 90_000_000;

/**
 * Rows under way, through all steps, of the longest side, as a step may turn the picture. Measured with pictures 32,000
 * to 6,000,000 pixels wide; TIFF and GIF hold the most. A PNG of 200 bytes that says 50,000,000 by 2 took 5 GB.
 */
const rows = 450;

/** Bytes that a JPEG or PNG holds of each pixel while it is written, its own bytes included. */
const rowsOut = 1.5;
/** And a WebP, which is written when all its pixels are there: opaque, and with noise for its transparency. */
const webpOut = 8;
const transparentWebpOut = 33;
/** A step that turns, mirrors, blurs or sharpens holds the picture, and some rows of it. */
const stepExtra = 2.2;
/** Bytes for each pixel of all frames of an animation's preview, which has at most 40 megapixels. */
const previewFrameBytes = 5;
/** Bytes for each pixel of one frame of an animation (the canvas), and for each pixel of all its frames. */
const canvasBytes = 16;
const rollBytes = 4;
/** Bytes for each pixel of all frames that an edit writes, and that `full` collects if they are noise. */
const editedRollBytes = 5;
const fullRollBytes = 9;
const decodedAvif = 9;

/** Decoding it, to whatever size. */
export function decodeBytes(picture: Structure): number {
  const { width, height, sampleBytes, decodedPixels, format } = picture;
  // The figures of HEIC and AVIF were measured with a transparency of the picture's size.
  const flat = Math.max(decodedPixels / 2, width * height) * countHeldBytes(picture);
  const program = format === 'heic' ? heicBytes : 0;
  return baseBytes + program + Math.round(flat + rows * Math.max(width, height) * Math.ceil(sampleBytes));
}

function countHeldBytes({ format, sampleBytes, isProgressive, hasAlpha }: Structure): number {
  // All its coefficients are there before the first row is: two bytes of each sample.
  if (format === 'jpeg' && isProgressive) return heldBytes.jpeg + 2 * sampleBytes;
  if (format === 'png' && isProgressive) return heldBytes.png + sampleBytes;
  if (format === 'avif' && sampleBytes > (hasAlpha ? 4 : 3)) return heldBytes.avif * 1.5;
  // Rows are converted on their way: those of many or wide samples take more.
  if (format === 'png' || format === 'tiff') return Math.max(heldBytes[format], sampleBytes / 2);
  return heldBytes[format];
}

/** `pixels`: of all frames of the animation. */
function previewBytes(pixels: number): number {
  return Math.min(pixels, renditionSpecs.preview.animationPixels) * previewFrameBytes;
}

/** An upload's renditions. `withFull`: also of a format that browsers show. */
export function uploadBytes(picture: Structure, withFull: boolean): number {
  const { width, height, frames, format } = picture;
  const isFull = withFull || needsFull.includes(format);
  if (frames === 1) return isFull ? fullBytes(picture) : decodeBytes(picture);
  const pixels = width * height;
  const written = Math.min(pixels * frames, renditionSpecs.full.animationPixels);
  const full = isFull ? pixels * transparentWebpOut + written * fullRollBytes : 0;
  return baseBytes + previewBytes(pixels * frames) + pixels * (frames * rollBytes + canvasBytes) + full;
}

function fullBytes(picture: Structure): number {
  const { width, height, hasAlpha, format } = picture;
  const pixels = width * height;
  const encoder = hasAlpha
    ? Math.min(pixels, maxTransparentWebpPixels) * transparentWebpOut
    : pixels * rowsOut;
  // The decoder of AVIF has given back most of its memory when its first row comes out.
  if (format === 'avif') return Math.max(decodeBytes(picture), baseBytes + pixels * decodedAvif + encoder);
  return wholeBytes(picture) + encoder;
}

/** Decoding in full size. Exif may turn the picture: then it is held as a whole, and by two decoders twice. */
function wholeBytes(picture: Structure): number {
  const { width, height, hasAlpha, format } = picture;
  const copy = format === 'webp' || format === 'gif' ? 4.5 : 0;
  const turned = format === 'avif' || format === 'heic' ? 0 : hasAlpha ? 4 : 3;
  return decodeBytes(picture) + width * height * (copy + turned);
}

/** A size: of a file, or where that is null of a preview, which is small. */
export function sizeBytes(request: SizeRequest, picture: Structure | null): number {
  const { width, height } = sizeOf(request);
  const { format, hasAlpha, isAnimated } = request;
  const encoder = format === 'jpg' ? rowsOut : hasAlpha ? transparentWebpOut : webpOut;
  const decoder = picture ? decodeBytes(picture) : baseBytes;
  return decoder + width * height * encoder + (isAnimated ? previewBytes(Infinity) : 0);
}

/** An edit, through all its steps. `upright`: pixels, as one sees it. Throws EditError where a step does not fit. */
export function editBytes(
  picture: Structure,
  upright: { width: number; height: number },
  steps: EditStep[],
  maxMegapixels?: number,
): number {
  const { frames, format, hasAlpha } = picture;
  let size = { ...upright, frames };
  let pixels = size.width * size.height;
  for (const step of steps) {
    size = { ...checkStep(size, step, maxMegapixels), frames };
    pixels = Math.max(pixels, size.width * size.height);
  }
  if (frames > 1) return editedAnimationBytes(picture, pixels, size);
  const channels = hasAlpha ? 4 : 3;
  const encoder = encoderBytes(format, hasAlpha, size.width * size.height);
  const steady = baseBytes + Math.max(pixels * (channels + stepExtra), encoder);
  return Math.max(wholeBytes(picture) + picture.width * picture.height, steady);
}

function encoderBytes(format: Format, hasAlpha: boolean, pixels: number): number {
  const mayBeWebp = format === 'webp' || format === 'gif' || (hasAlpha && format !== 'png');
  const isWebp = mayBeWebp && pixels <= (hasAlpha ? maxTransparentWebpPixels : maxWebpPixels);
  if (!isWebp) return pixels * rowsOut;
  return pixels * (hasAlpha ? transparentWebpOut : webpOut);
}

/** All frames are held as they come out; a batch of them as they go in, and one step before and after. */
function editedAnimationBytes(
  picture: Structure,
  pixels: number,
  size: { width: number; height: number },
): number {
  const { width, height, frames } = picture;
  const batch = Math.max(width * height, Math.min(batchPixels, width * height * frames));
  const roll = size.width * size.height * frames * editedRollBytes;
  return (
    previewBytes(width * height * frames) +
    decodeBytes(picture) +
    roll +
    batch * 8 +
    pixels * (8 + transparentWebpOut)
  );
}
