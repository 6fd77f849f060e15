import { ACTIONS, type Action } from './edit-actions.ts';
import { checkStep } from './edit-check.ts';
import type { EditStep } from './edits.ts';
import { EditError, undecodable } from './errors.ts';
import { type Encoded, encoded } from './formats.ts';
import { decodeFrames, frameTiming } from './frames.ts';
import { runByWeight } from './heavy.ts';
import { decodable } from './heic.ts';
import { EDIT_TIMEOUT_SECONDS } from './limits.ts';
import type { Input, Source } from './open.ts';
import { type Frames, hasAlpha, openFrame, openRoll, type Pixels } from './pixels.ts';
import { placeholderOf } from './placeholder.ts';
import { renderAnimation, thumbOf } from './render-animated.ts';
import { encodeStill, encodeWith } from './render-still.ts';
import { editedEncoder, RENDITIONS } from './renditions.ts';

/** The original with all steps replayed, encoded once, and its renditions. */
export type EditedImage = {
  image: Encoded;
  thumb: Encoded;
  preview: Encoded;
  width: number;
  height: number;
  placeholder: string;
};

/**
 * Replays `steps` from the original. The result is written in the original's format, except GIF (as WebP, which
 * holds its frames at a fortieth of the CPU) and what browsers cannot show (as JPEG, or WebP with transparency).
 * Throws EditError where a step does not fit, ImageError where the original does not decode.
 */
export async function renderEdits(source: Source, steps: EditStep[]): Promise<EditedImage> {
  const { width, height, frames, heldBytes } = source.inspection;
  let size = { width, height, frames };
  let pixels = width * height;
  for (const step of steps) {
    size = { ...checkStep(size, step), frames };
    pixels = Math.max(pixels, size.width * size.height * frames);
  }
  const bytes = heldBytes + pixels * 8; // before and after a step, at four channels
  try {
    return await runByWeight(bytes, async () => {
      const input = await decodable(source);
      return frames > 1
        ? await editAnimation(source, input, steps, size)
        : await editStill(source, input, steps);
    });
  } catch (error) {
    throw error instanceof EditError ? error : undecodable(error);
  }
}

async function editStill(source: Source, input: Input, steps: EditStep[]): Promise<EditedImage> {
  const replay = createReplay(steps);
  for await (const original of decodeFrames(input, source.inspection)) {
    const pixels = await replay(original);
    const image = await encodeWith(
      pixels,
      editedEncoder(source.inspection.format, { ...pixels, hasAlpha: hasAlpha(pixels) }),
    );
    const thumb = await encodeStill(pixels, RENDITIONS.thumb);
    const preview = await encodeStill(pixels, RENDITIONS.preview);
    const placeholder = await placeholderOf(openFrame(pixels));
    return { image, thumb, preview, width: pixels.width, height: pixels.height, placeholder };
  }
  throw undecodable('no frame');
}

async function editAnimation(
  source: Source,
  input: Input,
  steps: EditStep[],
  size: { width: number; height: number; frames: number },
): Promise<EditedImage> {
  const replay = createReplay(steps);
  const roll: Frames = {
    ...size,
    channels: 4,
    data: Buffer.allocUnsafe(size.width * size.height * size.frames * 4),
  };
  let at = 0;
  for await (const frame of decodeFrames(input, source.inspection)) {
    at += (await replay(frame)).data.copy(roll.data, at);
  }
  if (at !== roll.data.length) throw undecodable('fewer frames than the headers said');
  const { format, write } = editedEncoder(source.inspection.format, { ...roll, hasAlpha: true }, true);
  const data = await write(openRoll(roll), await frameTiming(input)).toBuffer();
  const image = encoded(data, format, size);
  const preview = await renderAnimation(data, size, RENDITIONS.preview);
  const thumb = await thumbOf(preview, size.frames);
  const firstFrame = { ...roll, data: roll.data.subarray(0, size.width * size.height * 4) };
  const placeholder = await placeholderOf(openFrame(firstFrame));
  return { image, thumb, preview, width: size.width, height: size.height, placeholder };
}

/** All steps over one frame, each its own pipeline: within one, sharp would apply them in an order of its own. */
function createReplay(steps: EditStep[]): (frame: Pixels) => Promise<Pixels> {
  const deadline = performance.now() + EDIT_TIMEOUT_SECONDS * 1000;
  return async (frame) => {
    let pixels = frame;
    for (const { action, params } of steps) {
      if (performance.now() > deadline)
        throw new EditError({ action: ['These edits take too long to replay'] });
      const { apply } = ACTIONS[action] as Action<unknown>;
      const image = apply(openFrame(pixels), params, pixels);
      const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
      pixels = { data, width: info.width, height: info.height, channels: info.channels };
    }
    return pixels;
  };
}
