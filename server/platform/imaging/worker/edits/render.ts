import type { Sharp } from 'sharp';
import { type EditAction, type EditStep, editActions, type ImageSize } from '../../edits/actions.ts';
import { ImageError } from '../../errors.ts';
import type { ImageFormat } from '../../formats.ts';
import type { WrittenPicture } from '../../jobs.ts';
import { maxImageSide, maxLosslessBytes } from '../../limits.ts';
import {
  chooseEditedEncoder,
  type ImageToEncode,
  type RenditionEncoder,
  type Renditions,
  renditionSpecs,
} from '../../renditions.ts';
import { awaitPixelWrite } from '../failures.ts';
import {
  type DecodedFrames,
  type DecodedPixels,
  decodeFrames,
  hasAlphaChannel,
  openDecodedFrames,
  openDecodedPixels,
  openImage,
  type PictureSource,
  readAnimationTiming,
  readDecodedPixels,
} from '../open.ts';
import { renderAnimation, renderThumb } from '../render/animated.ts';
import { computePlaceholder } from '../render/placeholder.ts';
import { encodeStill } from '../render/still.ts';
import { createEditWorkspace, type IntermediateImage } from './intermediate-image.ts';

/** The original with all steps replayed, encoded once into a file, and its renditions. */
export interface EditedImage extends Omit<Renditions, 'full'> {
  image: WrittenPicture;
}

/**
 * Replays `steps` on the original and writes the result to `file`. The caller has checked that the steps fit. The
 * result has the original's format, with exceptions: GIF becomes WebP, which needs a fortieth of the CPU time. Formats
 * that browsers cannot show become JPEG, or WebP with transparency. Pictures too large for WebP become JPEG or PNG.
 * Throws ImageError if the original cannot be decoded, or an animation is larger than WebP allows.
 */
export async function renderEdits(
  source: PictureSource,
  format: ImageFormat,
  steps: EditStep[],
  file: string,
): Promise<EditedImage> {
  return source.inspected.frames > 1
    ? await editAnimation(source, format, steps, file)
    : await editStill(source, format, steps, file);
}

const findAction = ({ action }: EditStep) => editActions[action] as EditAction<unknown>;

async function editStill(
  { input, inspected }: PictureSource,
  format: ImageFormat,
  steps: EditStep[],
  file: string,
): Promise<EditedImage> {
  const workspace = createEditWorkspace();
  let now = await workspace.store(openImage(input), inspected);
  // Each step gets its own pipeline, because sharp would reorder the operations of a single pipeline.
  for (const step of steps) {
    now = await workspace.store(
      await applyEditStep(now.open(), step, now),
      findAction(step).size(now, step.params),
    );
  }
  const thumb = await encodeStill(now.open(), now, renditionSpecs.thumb);
  const preview = await encodeStill(now.open(), now, renditionSpecs.preview);
  const placeholder = await computePlaceholder(now.open());
  const image = await writeStill(now, format, file);
  workspace.discard();
  return { image, thumb, preview, placeholder };
}

async function writeStill(
  now: IntermediateImage,
  original: ImageFormat,
  file: string,
): Promise<WrittenPicture> {
  const encoder = chooseEditedEncoder(original, now);
  const { size } = await writeTo(file, now, encoder);
  if (size <= maxLosslessBytes || encoder.format !== 'png' || now.hasAlpha) return drawnAs(encoder, now);
  const smaller = renditionSpecs.full.still;
  await writeTo(file, now, smaller);
  return drawnAs(smaller, now);
}

const writeTo = (file: string, now: IntermediateImage, { write }: RenditionEncoder) =>
  awaitPixelWrite(write(now.open()).toFile(file));

const drawnAs = (
  { format }: RenditionEncoder,
  { width, height }: Omit<ImageToEncode, 'hasAlpha'>,
): WrittenPicture => ({
  format,
  width,
  height,
});

async function editAnimation(
  source: PictureSource,
  original: ImageFormat,
  steps: EditStep[],
  file: string,
): Promise<EditedImage> {
  const { frames } = source.inspected;
  const size = sizeAfter(source.inspected, steps);
  if (Math.max(size.width, size.height) > maxImageSide) {
    throw new ImageError(
      'too-large',
      `An edited animation can be at most ${maxImageSide} pixels wide and high`,
    );
  }
  const roll: DecodedFrames = {
    ...size,
    frames,
    channels: 4,
    data: Buffer.allocUnsafe(size.width * size.height * frames * 4),
  };
  let at = 0;
  for await (const frame of decodeFrames(source))
    at += (await applyEditSteps(frame, steps)).data.copy(roll.data, at);
  if (at !== roll.data.length) throw new ImageError('format', 'The file is damaged or not an image');
  const encoder = chooseEditedEncoder(original, { ...roll, hasAlpha: true }, true);
  await awaitPixelWrite(
    encoder.write(openDecodedFrames(roll), await readAnimationTiming(source.input)).toFile(file),
  );
  const preview = await renderAnimation(file, { ...size, frames }, renditionSpecs.preview);
  const thumb = await renderThumb(preview, frames);
  const firstFrame = { ...roll, data: roll.data.subarray(0, size.width * size.height * 4) };
  const placeholder = await computePlaceholder(openDecodedPixels(firstFrame));
  return { image: drawnAs(encoder, size), thumb, preview, placeholder };
}

function sizeAfter({ width, height }: ImageSize, steps: EditStep[]): { width: number; height: number } {
  let size = { width, height };
  for (const step of steps) size = findAction(step).size(size, step.params);
  return size;
}

async function applyEditSteps(frame: DecodedPixels, steps: EditStep[]): Promise<DecodedPixels> {
  let pixels = frame;
  for (const step of steps) {
    pixels = await readDecodedPixels(await applyEditStep(openDecodedPixels(pixels), step, pixels));
  }
  return pixels;
}

async function applyEditStep(image: Sharp, step: EditStep, size: ImageSize): Promise<Sharp> {
  const { apply, toneTable } = findAction(step);
  const table = toneTable?.(step.params);
  return table
    ? openDecodedPixels(mapColors(await readDecodedPixels(image), table))
    : apply(image, step.params, size);
}

/** Replaces each value of a color in place. Alpha keeps its values. */
function mapColors(pixels: DecodedPixels, table: Uint8Array): DecodedPixels {
  const { data, channels } = pixels;
  const colors = hasAlphaChannel(pixels) ? channels - 1 : channels;
  for (let start = 0; start < data.length; start += channels) {
    for (let at = start; at < start + colors; at++) data[at] = table[data[at]!]!;
  }
  return pixels;
}
