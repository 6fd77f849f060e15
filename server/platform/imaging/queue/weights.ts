/**
 * What a job holds in memory at its worst moment: decoder, pixels and encoder together. All figures were measured as
 * the growth of a process's largest memory; bench/hostile.ts tries the worst of them under a real limit.
 */
import type { EditStep } from '../edits/actions.ts';
import { checkStep } from '../edits/check.ts';
import { type Format, needsFull } from '../formats.ts';
import type { Inspection } from '../inspect.ts';
import { maxTransparentWebpPixels, maxWebpPixels } from '../limits.ts';
import { batchPixels } from '../open.ts';
import { renditionSpecs } from '../render/renditions.ts';
import { type SizeRequest, sizeOf } from '../render/size.ts';

/** Rows under way, the encoded bytes of renditions, and what the allocator keeps. */
const baseBytes = 24_000_000;

/** Bytes that a JPEG or PNG holds of each pixel while it is written, its own bytes included. */
const rowsOut = 1.5;
/** And a WebP, which is written when all its pixels are there: opaque, and with noise for its transparency. */
const webpOut = 8;
const transparentWebpOut = 33;
/** A step that turns, mirrors, blurs or sharpens holds the picture, and some rows of it. */
const stepExtra = 2.2;
/** Bytes of a pixel of one frame of an animation: the canvas that is decoded; and of all of its frames. */
const canvasBytes = 16;
const rollBytes = 4;
/**
 * While an animation's `full` is written: of all its frames, as they are encoded and collected, where they are noise.
 */
const fullRollBytes = 9;

/** An upload's renditions. `withFull`: also of a format that browsers show. */
export function uploadBytes(inspection: Inspection, withFull = false): number {
  const { width, height, frames, heldBytes, format } = inspection;
  const isFull = withFull || needsFull.includes(format);
  if (frames > 1) {
    const pixels = width * height;
    const written = Math.min(pixels * frames, renditionSpecs.full.animationPixels);
    const full = isFull ? pixels * transparentWebpOut + written * fullRollBytes : 0;
    return baseBytes + animationBase + pixels * (frames * rollBytes + canvasBytes) + full;
  }
  return baseBytes + (isFull ? fullBytes(inspection) : heldBytes);
}

/** A size, of a preview or of a file whose decoder holds so many bytes. */
export function sizeBytes(request: SizeRequest, heldBytes: number): number {
  const { width, height } = sizeOf(request);
  const { format, hasAlpha, isAnimated } = request;
  const encoder = format === 'jpg' ? rowsOut : hasAlpha ? transparentWebpOut : webpOut;
  return baseBytes + heldBytes + width * height * encoder + (isAnimated ? animationBase : 0);
}

/** An animation's preview: frames of 1,600 pixels a side, at most 40 megapixels of them. */
const animationBase = 160_000_000;
const decodedAvif = 9;
/** Four bytes of every pixel of every frame, and what is written of them. */
const editedRollBytes = 5;

export function avatarBytes({ heldBytes }: Inspection): number {
  return baseBytes + heldBytes;
}

function fullBytes(inspection: Inspection): number {
  const { width, height, hasAlpha } = inspection;
  const pixels = width * height;
  const encoder = hasAlpha
    ? Math.min(pixels, maxTransparentWebpPixels) * transparentWebpOut
    : pixels * rowsOut;
  // What an AVIF's decoder holds is mostly gone when its first row comes out.
  if (inspection.format === 'avif') return Math.max(inspection.heldBytes, pixels * decodedAvif + encoder);
  return wholeBytes(inspection) + encoder;
}

/** Decoding in full size. To be turned, a picture is held as a whole; these two hold a second copy of it. */
function wholeBytes({ width, height, channels, heldBytes, orientation, format }: Inspection): number {
  const copy = format === 'webp' || format === 'gif' ? 4.5 : 0;
  return heldBytes + width * height * (copy + (orientation === 1 ? 0 : channels));
}

/** An edit, through all its steps. Throws EditError where one does not fit. */
export function editBytes(inspection: Inspection, steps: EditStep[], maxMegapixels?: number): number {
  const { width, height, frames, format } = inspection;
  let size = { width, height, frames };
  let pixels = width * height;
  for (const step of steps) {
    size = { ...checkStep(size, step, maxMegapixels), frames };
    pixels = Math.max(pixels, size.width * size.height);
  }
  if (frames > 1) return editedAnimationBytes(inspection, pixels, size);
  const channels = inspection.hasAlpha ? 4 : 3;
  const encoder = encoderBytes(format, inspection.hasAlpha, size.width * size.height);
  return (
    baseBytes + Math.max(wholeBytes(inspection) + width * height, pixels * (channels + stepExtra), encoder)
  );
}

function encoderBytes(format: Format, hasAlpha: boolean, pixels: number): number {
  const isWebp =
    canBeWebp(format, hasAlpha) && pixels <= (hasAlpha ? maxTransparentWebpPixels : maxWebpPixels);
  if (!isWebp) return pixels * rowsOut;
  return pixels * (hasAlpha ? transparentWebpOut : webpOut);
}

function canBeWebp(format: Format, hasAlpha: boolean): boolean {
  return format === 'webp' || format === 'gif' || (hasAlpha && format !== 'png');
}

/** All frames are held as they come out; a batch of them as they go in, and one step before and after. */
function editedAnimationBytes(
  { width, height, frames, heldBytes }: Inspection,
  pixels: number,
  size: { width: number; height: number },
): number {
  const batch = Math.max(width * height, Math.min(batchPixels, width * height * frames));
  const roll = size.width * size.height * frames * editedRollBytes;
  return baseBytes + animationBase + heldBytes + roll + batch * 8 + pixels * (8 + transparentWebpOut);
}
