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
 * of our own (a TypeError and its like) are returned as they are, and what the system refused with its code.
 */
export function undecodable(cause: unknown): Error {
  if (cause instanceof ImageError || cause instanceof AbandonedError) return cause;
  if (cause instanceof TypeError || cause instanceof ReferenceError) return cause;
  const code = refusedBySystem(cause);
  if (code) return Object.assign(new Error('the system has no room for pixels', { cause }), { code });
  if (isTimeout(cause)) return new ImageError('too-large', 'The image takes too long to decode', { cause });
  return new ImageError('format', 'The file is damaged or not an image', { cause });
}

/** sharp says `timeout: 12% complete`; an AbortSignal's reason is a DOMException. */
function isTimeout(cause: unknown): boolean {
  if (!(cause instanceof Error)) return false;
  return cause.name === 'AbortError' || cause.name === 'TimeoutError' || cause.message.startsWith('timeout');
}

/** libvips tells it by the system's text alone, and loses that on some ways: then by what it was writing to. */
const systemTexts: Record<string, string> = {
  'No space left on device': 'ENOSPC',
  'Disk quota exceeded': 'EDQUOT',
  'Read-only file system': 'EROFS',
  'Too many open files in system': 'ENFILE',
  'Too many open files': 'EMFILE',
  'unable to open for write': 'EMFILE',
  'write failed': 'ENOSPC',
  'write error': 'ENOSPC',
};

/**
 * An encoder says this, too, where it gets no pixels: then the decoder has complained before it, or it was writing to
 * memory, which libvips calls `target`.
 */
const lostText = /^\w+: unable to write to target(?! target\b)/;

/** What sharp says where libvips said nothing. */
const withoutWords = /^(Unknown error|Warning treated as error .*|Input \w+ has corrupt header:\s*)$/;

/**
 * Does it again where it failed without a word. Few damaged files do that; but libvips keeps the complaints of all that
 * it does in one place, and where two pictures fail at once, as without descriptors, one takes the words of the other.
 */
export async function heard<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error) || !withoutWords.test(error.message)) throw error;
    return await work();
  }
}

/**
 * For what is made of decoded pixels: no bytes of a user's can be wrong any more, and libvips does not always tell that
 * it could not write.
 */
export async function written<Info>(writing: Promise<Info>): Promise<Info> {
  try {
    return await writing;
  } catch (cause) {
    if (!(cause instanceof Error) || isTimeout(cause)) throw cause;
    const code = refusedBySystem(cause) ?? 'ENOSPC';
    throw Object.assign(new Error('an image could not be written', { cause }), { code, syscall: 'write' });
  }
}

function refusedBySystem(cause: unknown): string | undefined {
  if (!(cause instanceof Error)) return undefined;
  const { code, syscall } = cause as NodeJS.ErrnoException;
  if (code && syscall) return code;
  // `inspect` has seen that the decoder knows the format.
  if (isOfNoFormat(cause)) return 'EMFILE';
  const [, known] = Object.entries(systemTexts).find(([text]) => cause.message.includes(text)) ?? [];
  return known ?? (lostText.test(cause.message) ? 'ENOSPC' : undefined);
}

/** What sharp says of a file in no format that it knows, and of every file that it has no descriptor for. */
export function isOfNoFormat(cause: unknown): boolean {
  return cause instanceof Error && cause.message.includes('contains unsupported image format');
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
