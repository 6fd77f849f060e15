import type { Sharp } from 'sharp';
import type { Deadline } from './deadline.ts';
import type { Inspection } from './inspect.ts';
import { inputOptions, sharp } from './sharp.ts';

/** A picture on the disk and what `inspect` said about it. */
export interface Source {
  file: string;
  inspection: Inspection;
  /** What sharp can read of it: the file itself, and for HEIC, whose codec it does not bring, its pixels. */
  decodable(deadline: Deadline): Promise<Input>;
}

/** What sharp reads: a path, or bytes in memory where its own decoders cannot read the file (HEIC). */
export type Input = string | Buffer;

/** A fresh pipeline over the picture, upright, with all frames if `isAnimated`. */
export function openImage(input: Input, options: { isAnimated: boolean; deadline: Deadline }): Sharp {
  const image = sharp(input, { ...inputOptions, autoOrient: true, animated: options.isAnimated });
  return image.timeout({ seconds: options.deadline.secondsLeft() });
}
