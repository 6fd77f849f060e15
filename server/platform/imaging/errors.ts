export type ImageRefusal = 'format' | 'too-large';

/**
 * An image file that is refused. `format`: the file is no accepted picture or cannot be decoded. `too-large`: the file
 * exceeds a limit. The message is public; `cause` holds the decoder's message for the log only.
 */
export class ImageError extends Error {
  override name = 'ImageError';
  readonly reason: ImageRefusal;

  constructor(reason: ImageRefusal, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** The client disconnected before its picture was done. The job is canceled, and nothing is stored. */
export class AbandonedJobError extends Error {
  override name = 'AbandonedJobError';

  constructor() {
    super('The client canceled the request');
  }
}

/** An edit whose parameters do not fit the image. `errors` names every wrong field, e.g. `params.width`. */
export class EditError extends Error {
  override name = 'EditError';
  readonly errors: Record<string, string[]>;

  constructor(errors: Record<string, string[]>) {
    super(Object.values(errors).flat().join('; '));
    this.errors = errors;
  }
}

/** The imaging queue is full, or a job has waited too long. `retryAfter` is in seconds. */
export class QueueFullError extends Error {
  override name = 'QueueFullError';
  readonly retryAfter: number;
  /** Whether only this caller has too many images in the queue. The response is then 429 instead of 503. */
  readonly isOwn: boolean;

  constructor(retryAfter: number, isOwn = false) {
    super(`Too many images ${isOwn ? 'of yours ' : ''}are being processed. Try again in a moment.`);
    this.retryAfter = retryAfter;
    this.isOwn = isOwn;
  }
}
