/**
 * What a job holds in memory at its worst moment: decoder, pixels and encoder together. All figures were measured as
 * the growth of a process's largest memory; bench/hostile.ts tries the worst of them under a real limit.
 */
import { checkStep } from '../edits/check.ts';
import type { EditStep } from '../edits/step.ts';
import { type Format, NEEDS_FULL } from '../formats.ts';
import { BATCH_PIXELS } from '../frames.ts';
import type { Inspection } from '../inspect.ts';
import { MAX_TRANSPARENT_WEBP_PIXELS, MAX_WEBP_PIXELS } from '../limits.ts';
import { RENDITIONS } from '../render/renditions.ts';

/** Rows under way, the encoded bytes of renditions, and what the allocator keeps. */
const BASE = 24_000_000;

/** Bytes that a JPEG or PNG holds of each pixel while it is written, its own bytes included. */
const ROWS_OUT = 1.5;
/** And a WebP, which is written when all its pixels are there: opaque, and with noise for its transparency. */
const WEBP_OUT = 8;
const TRANSPARENT_WEBP_OUT = 33;
/** A step that turns, mirrors, blurs or sharpens holds the picture, and some rows of it. */
const STEP_EXTRA = 2.2;
/** Bytes of a pixel of one frame of an animation: the canvas that is decoded; and of all of its frames. */
const CANVAS = 16;
const ROLL = 4;
/**
 * While an animation's `full` is written: of all its frames, as they are encoded and gathered, where they are noise.
 */
const FULL_ROLL = 9;

/** An upload's renditions. `withFull`: also of a format that browsers show. */
export function uploadBytes(inspection: Inspection, withFull = false): number {
  const { width, height, frames, heldBytes, format } = inspection;
  const isFull = withFull || NEEDS_FULL.includes(format);
  if (frames > 1) {
    const pixels = width * height;
    const written = Math.min(pixels * frames, RENDITIONS.full.animationPixels);
    const full = isFull ? pixels * TRANSPARENT_WEBP_OUT + written * FULL_ROLL : 0;
    return BASE + ANIMATION_BASE + pixels * (frames * ROLL + CANVAS) + full;
  }
  return BASE + (isFull ? fullBytes(inspection) : heldBytes);
}

/** An animation's preview: frames of 1,600 pixels a side, at most 40 megapixels of them. */
const ANIMATION_BASE = 160_000_000;
const DECODED_AVIF = 9;
/** Four bytes of every pixel of every frame, and what is written of them. */
const EDITED_ROLL = 5;

export function avatarBytes({ heldBytes }: Inspection): number {
  return BASE + heldBytes;
}

function fullBytes(inspection: Inspection): number {
  const { width, height, hasAlpha } = inspection;
  const pixels = width * height;
  const encoder = hasAlpha
    ? Math.min(pixels, MAX_TRANSPARENT_WEBP_PIXELS) * TRANSPARENT_WEBP_OUT
    : pixels * ROWS_OUT;
  // What an AVIF's decoder holds is mostly gone when its first row comes out.
  if (inspection.format === 'avif') return Math.max(inspection.heldBytes, pixels * DECODED_AVIF + encoder);
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
  return BASE + Math.max(wholeBytes(inspection) + width * height, pixels * (channels + STEP_EXTRA), encoder);
}

function encoderBytes(format: Format, hasAlpha: boolean, pixels: number): number {
  const isWebp =
    canBeWebp(format, hasAlpha) && pixels <= (hasAlpha ? MAX_TRANSPARENT_WEBP_PIXELS : MAX_WEBP_PIXELS);
  if (!isWebp) return pixels * ROWS_OUT;
  return pixels * (hasAlpha ? TRANSPARENT_WEBP_OUT : WEBP_OUT);
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
  const batch = Math.max(width * height, Math.min(BATCH_PIXELS, width * height * frames));
  const roll = size.width * size.height * frames * EDITED_ROLL;
  return BASE + ANIMATION_BASE + heldBytes + roll + batch * 8 + pixels * (8 + TRANSPARENT_WEBP_OUT);
}
