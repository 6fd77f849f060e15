import { createDeadline } from '../deadline.ts';
import { undecodable } from '../errors.ts';
import { needsFull } from '../formats.ts';
import { renderSeconds } from '../limits.ts';
import type { Source } from '../open.ts';
import { renderAnimated } from './animated.ts';
import type { Renditions } from './renditions.ts';
import { renderStill } from './still.ts';

export type { Source } from '../open.ts';

export interface RenderOptions {
  /** Also of a format that browsers show. */
  full?: boolean;
  signal?: AbortSignal | undefined;
}

/**
 * Decodes the whole picture (a damaged one is refused with ImageError) and makes its renditions. `full` is made for
 * the formats browsers cannot show or we cannot clean, and for any other when `options.full` asks for it. What it
 * holds in memory, `uploadBytes` of weights.ts says before.
 */
export async function renderUpload(source: Source, options: RenderOptions = {}): Promise<Renditions> {
  const { format, frames } = source.inspection;
  const withFull = options.full === true || needsFull.includes(format);
  const render = frames > 1 ? renderAnimated : renderStill;
  try {
    return await render(source, withFull, createDeadline(renderSeconds, options.signal));
  } catch (error) {
    throw undecodable(error);
  }
}
