export type ImageRefusal = 'format' | 'too-large';

/**
 * A file that is refused: `format` when it is no picture we accept or does not decode, `too-large` when it exceeds
 * the limits. The message is public; what the decoder said is kept in `cause`, for the log alone.
 */
export class ImageError extends Error {
  override name = 'ImageError';
  readonly reason: ImageRefusal;

  constructor(reason: ImageRefusal, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/**
 * The decoder's complaint as a refusal: whatever a user's bytes provoke is the user's mistake, never ours. Mistakes
 * of our own (a TypeError and its like) are returned as they are.
 */
export function undecodable(cause: unknown): Error {
  if (cause instanceof ImageError || cause instanceof AbandonedError) return cause;
  if (cause instanceof TypeError || cause instanceof ReferenceError) return cause;
  if (isDiskFull(cause))
    return Object.assign(new Error('no space for pixels', { cause }), { code: 'ENOSPC' });
  if (isTimeout(cause)) return new ImageError('too-large', 'The image takes too long to decode', { cause });
  return new ImageError('format', 'The file is damaged or not an image', { cause });
}

/** sharp says `timeout: 12% complete`; an AbortSignal's reason is a DOMException. */
function isTimeout(cause: unknown): boolean {
  if (!(cause instanceof Error)) return false;
  return cause.name === 'AbortError' || cause.name === 'TimeoutError' || cause.message.startsWith('timeout');
}

/** libvips tells it by the system's text alone. */
function isDiskFull(cause: unknown): boolean {
  return cause instanceof Error && cause.message.includes('No space left on device');
}

/** The client closed its connection before its picture was done: the job ends, and nothing is stored. */
export class AbandonedError extends Error {
  override name = 'AbandonedError';

  constructor() {
    super('The request was given up by its client');
  }
}

/** An edit whose params do not fit the image; `errors` names every bad field, e.g. `params.width`. */
export class EditError extends Error {
  override name = 'EditError';
  readonly errors: Record<string, string[]>;

  constructor(errors: Record<string, string[]>) {
    super(Object.values(errors).flat().join('; '));
    this.errors = errors;
  }
}

/** The imaging queue has no room: answer 503 with `Retry-After: retryAfter` (seconds). */
export class QueueFullError extends Error {
  override name = 'QueueFullError';
  readonly retryAfter: number;

  constructor(retryAfter: number) {
    super('Too many images are being processed, try again shortly');
    this.retryAfter = retryAfter;
  }
}
