import { undecodable } from './errors.ts';
import type { Encoded } from './formats.ts';
import { runByWeight } from './heavy.ts';
import type { Source } from './open.ts';
import { renderAnimated } from './render-animated.ts';
import { renderStill } from './render-still.ts';

export type { Source } from './open.ts';

/** What is made of an upload: sRGB, upright, without metadata. `placeholder` is a ThumbHash in base64. */
export type Renditions = { thumb: Encoded; preview: Encoded; full?: Encoded; placeholder: string };

/** What browsers cannot show or `cleanParts` cannot clean. */
const NEEDS_FULL = ['avif', 'heic', 'tiff'];

/**
 * Decodes the whole picture (a damaged one is refused with ImageError) and makes its renditions. `full` is made for
 * the formats browsers cannot show or we cannot clean, and for any other when `options.full` asks for it.
 */
export async function renderUpload(source: Source, options: { full?: boolean } = {}): Promise<Renditions> {
  const { format, frames, heldBytes } = source.inspection;
  const withFull = options.full || NEEDS_FULL.includes(format);
  const render = frames > 1 ? renderAnimated : renderStill;
  try {
    return await runByWeight(heldBytes, () => render(source, withFull));
  } catch (error) {
    throw undecodable(error);
  }
}
