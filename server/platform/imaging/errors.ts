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

/** The imaging queue has no room, or had none in time. `retryAfter`: seconds. */
export class QueueFullError extends Error {
  override name = 'QueueFullError';
  readonly retryAfter: number;
  /** It is full of this caller's own images: 429 instead of 503. */
  readonly isOwn: boolean;

  constructor(retryAfter: number, isOwn = false) {
    super(`Too many images ${isOwn ? 'of yours ' : ''}are being processed`);
    this.retryAfter = retryAfter;
    this.isOwn = isOwn;
  }
}
