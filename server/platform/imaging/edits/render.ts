import { stat } from 'node:fs/promises';
import type { TemporaryFile } from '../../storage/storage.ts';
import { createDeadline, type Deadline } from '../deadline.ts';
import { EditError, heard, ImageError, undecodable, written } from '../errors.ts';
import { type Encoded, formats } from '../formats.ts';
import { editSeconds, maxLosslessBytes, maxSide } from '../limits.ts';
import {
  decodeFrames,
  type Frames,
  frameTiming,
  type Input,
  openFrame,
  openImage,
  openRoll,
  type Pixels,
  pixelsOf,
  type Source,
} from '../open.ts';
import { renderAnimation, thumbOf } from '../render/animated.ts';
import { placeholderOf } from '../render/placeholder.ts';
import { editedEncoder, renditionSpecs } from '../render/renditions.ts';
import { encodeStill } from '../render/still.ts';
import { type Action, type EditStep, editActions } from './actions.ts';
import { type Between, createWorkspace, type NewFile } from './between.ts';
import { checkStep } from './check.ts';

/** The original with all steps replayed, encoded once, and its renditions. */
export interface EditedImage {
  /** In a file, which the caller discards or stores: it may be as large as an original. */
  image: Omit<Encoded, 'data'> & { file: TemporaryFile; size: number };
  thumb: Encoded;
  preview: Encoded;
  width: number;
  height: number;
  placeholder: string;
}

export interface EditOptions {
  newFile: NewFile;
  signal?: AbortSignal | undefined;
  maxMegapixels?: number;
  /** For all steps together. */
  seconds?: number;
}

/**
 * Replays `steps` from the original. The result is written in the original's format, except GIF (as WebP, which
 * holds its frames at a fortieth of the CPU), what browsers cannot show (as JPEG, or WebP with transparency) and what
 * is too large for WebP (as JPEG or PNG). What it holds in memory, `editBytes` of weights.ts says before.
 * Throws EditError where a step does not fit, ImageError where the original does not decode, or an animation stays
 * larger than WebP holds.
 */
export async function renderEdits(
  source: Source,
  steps: EditStep[],
  { newFile, signal, maxMegapixels, seconds = editSeconds }: EditOptions,
): Promise<EditedImage> {
  const { width, height, frames } = source.inspection;
  let size = { width, height, frames };
  for (const step of steps) size = { ...checkStep(size, step, maxMegapixels), frames };
  if (frames > 1 && Math.max(size.width, size.height) > maxSide) {
    throw new ImageError('too-large', `An edited animation is at most ${maxSide} pixels wide and high`);
  }
  const result = await newFile();
  try {
    const deadline = createDeadline(seconds, signal);
    const input = await source.decodable(deadline);
    return await heard(() =>
      frames > 1
        ? editAnimation({ source, input, steps, size, result, deadline })
        : editStill({ source, input, steps, newFile, result, deadline }),
    );
  } catch (error) {
    await result.discard();
    throw error instanceof EditError ? error : undecodable(error);
  }
}

interface Edit {
  source: Source;
  input: Input;
  steps: EditStep[];
  result: TemporaryFile;
  deadline: Deadline;
}

async function editStill(edit: Edit & { newFile: NewFile }): Promise<EditedImage> {
  const { source, input, steps, newFile, result, deadline } = edit;
  const workspace = createWorkspace(newFile, deadline);
  try {
    let now = await workspace.keep(openImage(input, { isAnimated: false, deadline }), source.inspection);
    // Each step its own pipeline: within one, sharp would apply them in an order of its own.
    for (const { action, params } of steps) {
      const { apply, size } = editActions[action] as Action<unknown>;
      now = await workspace.keep(apply(now.open(), params, now), size(now, params));
    }
    const { width, height } = now;
    const thumb = await encodeStill(now.open(), now, renditionSpecs.thumb);
    const preview = await encodeStill(now.open(), now, renditionSpecs.preview);
    const placeholder = await placeholderOf(now.open());
    const image = await writeStill(now, source, result);
    return { image, thumb, preview, width, height, placeholder };
  } finally {
    await workspace.discard();
  }
}

async function writeStill(now: Between, source: Source, file: TemporaryFile): Promise<EditedImage['image']> {
  let { format, write } = editedEncoder(source.inspection.format, now);
  let { size } = await written(write(now.open()).toFile(file.path));
  if (size > maxLosslessBytes && format === 'png' && !now.hasAlpha) {
    ({ format, write } = renditionSpecs.full.still);
    ({ size } = await written(write(now.open()).toFile(file.path)));
  }
  return { file, size, format, ...formats[format], width: now.width, height: now.height };
}

async function editAnimation(
  edit: Edit & { size: { width: number; height: number; frames: number } },
): Promise<EditedImage> {
  const { source, input, steps, size, result, deadline } = edit;
  const roll: Frames = {
    ...size,
    channels: 4,
    data: Buffer.allocUnsafe(size.width * size.height * size.frames * 4),
  };
  let at = 0;
  for await (const frame of decodeFrames(input, source.inspection, deadline)) {
    at += (await replay(frame, steps, deadline)).data.copy(roll.data, at);
  }
  if (at !== roll.data.length) throw undecodable('fewer frames than the headers said');
  const { format, write } = editedEncoder(source.inspection.format, { ...roll, hasAlpha: true }, true);
  await written(write(openRoll(roll, deadline), await frameTiming(input)).toFile(result.path));
  const image = { ...formats[format], format, ...size, file: result, size: (await stat(result.path)).size };
  const preview = await renderAnimation(result.path, size, renditionSpecs.preview, deadline);
  const thumb = await thumbOf(preview, size.frames, deadline);
  const firstFrame = { ...roll, data: roll.data.subarray(0, size.width * size.height * 4) };
  const placeholder = await placeholderOf(openFrame(firstFrame, deadline));
  return { image, thumb, preview, width: size.width, height: size.height, placeholder };
}

async function replay(frame: Pixels, steps: EditStep[], deadline: Deadline): Promise<Pixels> {
  let pixels = frame;
  for (const { action, params } of steps) {
    const { apply } = editActions[action] as Action<unknown>;
    pixels = await pixelsOf(apply(openFrame(pixels, deadline), params, pixels));
  }
  return pixels;
}
