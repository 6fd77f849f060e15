import { AbandonedError, ImageError } from './errors.ts';

/** The time that a whole job may take: each of its pipelines and threads is given what is left of it. */
export interface Deadline {
  /** Whole seconds, at least one. Throws ImageError when none is left, AbandonedError when the client has gone. */
  secondsLeft(): number;
}

export function createDeadline(seconds: number, signal?: AbortSignal): Deadline {
  const end = performance.now() + seconds * 1000;
  return {
    secondsLeft() {
      if (signal?.aborted) throw new AbandonedError();
      const left = end - performance.now();
      if (left <= 0) throw new ImageError('too-large', 'The image takes too long to process');
      return Math.ceil(left / 1000);
    },
  };
}
