import type { Encoded } from './formats.ts';
import type { Inspection } from './inspect.ts';

/** A picture on the disk and what `inspect` said about it. */
export type Source = { file: string; inspection: Inspection };

/** What is made of an upload: sRGB, upright, without metadata. `placeholder` is a ThumbHash in base64. */
export type Renditions = { thumb: Encoded; preview: Encoded; full?: Encoded; placeholder: string };

/**
 * Decodes the whole picture (a damaged one is refused with ImageError) and makes its renditions. `full` is made for
 * the formats browsers cannot show or we cannot clean, and for any other when `options.full` asks for it.
 */
export async function renderUpload(_source: Source, _options?: { full?: boolean }): Promise<Renditions> {
  throw new Error('not yet');
}
