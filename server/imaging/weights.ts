/**
 * What a job holds in memory at its worst moment: decoder, pixels and encoder together. All figures were measured with
 * bench/memory.ts as the growth of a process's largest memory.
 */
import { checkStep } from './edit-check.ts';
import type { EditStep } from './edits.ts';
import { type Format, NEEDS_FULL } from './formats.ts';
import { BATCH_PIXELS } from './frames.ts';
import type { Inspection } from './inspect.ts';
import { MAX_WEBP_PIXELS } from './limits.ts';

/** Rows under way, the encoded bytes of renditions, and what the allocator keeps. */
const BASE = 24_000_000;

/** Bytes that a JPEG or PNG holds of each pixel while it is written, its own bytes included. */
const ROWS_OUT = 1.5;
/** And a WebP, which is written when all its pixels are there. */
const WEBP_OUT = 12.5;
/** A step that turns, mirrors, blurs or sharpens holds the picture, and some rows of it. */
const STEP_EXTRA = 1;
/** Bytes of a pixel of an animation: its canvas and the encoder's frame before. */
const ANIMATED = 16;

/** An upload's renditions. `withFull`: also of a format that browsers show. */
export function uploadBytes(inspection: Inspection, withFull = false): number {
  const { width, height, frames, heldBytes, format } = inspection;
  if (frames > 1) return BASE + heldBytes + width * height * ANIMATED + ANIMATION_BASE;
  const isFull = withFull || NEEDS_FULL.includes(format);
  return BASE + (isFull ? fullBytes(inspection) : heldBytes);
}

const ANIMATION_BASE = 80_000_000;

export function avatarBytes({ heldBytes }: Inspection): number {
  return BASE + heldBytes;
}

function fullBytes(inspection: Inspection): number {
  const { width, height, hasAlpha } = inspection;
  const pixels = width * height;
  const encoder = hasAlpha ? Math.min(pixels, MAX_WEBP_PIXELS) * WEBP_OUT : pixels * ROWS_OUT;
  return wholeBytes(inspection) + encoder;
}

/** Decoding in full size. To be turned, a picture is held as a whole. */
function wholeBytes({ width, height, channels, heldBytes, orientation }: Inspection): number {
  return heldBytes + (orientation === 1 ? 0 : width * height * channels);
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
  const isWebp = canBeWebp(format, inspection.hasAlpha) && size.width * size.height <= MAX_WEBP_PIXELS;
  const encoder = size.width * size.height * (isWebp ? WEBP_OUT : ROWS_OUT);
  return BASE + Math.max(wholeBytes(inspection) + width * height, pixels * (channels + STEP_EXTRA), encoder);
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
  const roll = size.width * size.height * frames * 4;
  return BASE + ANIMATION_BASE + heldBytes + roll * 1.5 + batch * 8 + pixels * 8;
}
