/** Translates errors of decoders and encoders into failures that the server can report. */
import { ImageError } from '../errors.ts';
import type { WorkerFailure } from '../jobs.ts';

/**
 * Returns the failure for an error. An error caused by a user's bytes is the user's mistake. Bugs such as a TypeError,
 * and refusals of the system, stay distinct.
 */
export function toWorkerFailure(cause: unknown): WorkerFailure {
  const text = cutText(cause instanceof Error ? cause.message : String(cause), 2000);
  if (cause instanceof ImageError) {
    return { refused: cause.reason, message: cause.message, cause: cutText(String(cause.cause ?? ''), 2000) };
  }
  if (cause instanceof TypeError || cause instanceof ReferenceError) {
    return { mistake: cutText(cause.stack ?? text, 4000) };
  }
  if (isFileTooLarge(cause))
    return { refused: 'too-large', message: 'The image is too large for an edit', cause: text };
  const code = systemErrorText(cause);
  if (code !== undefined) return { system: code, cause: text };
  if (ofMemory.test(text)) return { memory: text };
  return { refused: 'format', message: 'The file is damaged or not an image', cause: text };
}

const cutText = (text: string, length: number): string => text.slice(0, length);

/**
 * Messages of libvips, libjpeg, libheif, V8 and GLib when memory runs out. GLib fails when a thread's stack does not
 * fit. The encoder of libwebp reports only "unable", for missing memory or an oversized part; in either case the
 * picture is the cause.
 */
const ofMemory =
  /out of memory|insufficient memory|memory allocation|allocation failed|unable to (allocate|encode)|creating thread/i;

/**
 * Error codes by message. libvips reports system errors only as text, and sometimes not at all; then the failing
 * operation decides.
 */
const systemTexts: Record<string, string> = {
  'No space left on device': 'ENOSPC',
  'Disk quota exceeded': 'EDQUOT',
  'Read-only file system': 'EROFS',
  'Too many open files in system': 'ENFILE',
  'Too many open files': 'EMFILE',
  'Input/output error': 'EIO',
};

/**
 * Awaits the writing of decoded pixels. Decoded pixels cannot be invalid, so any error is a failed write, which libvips
 * does not always report clearly.
 */
export async function awaitPixelWrite<Info>(writing: Promise<Info>): Promise<Info> {
  try {
    return await writing;
  } catch (cause) {
    if (!(cause instanceof Error) || ofMemory.test(cause.message)) throw cause;
    const code = systemErrorText(cause) ?? 'ENOSPC';
    throw Object.assign(new Error('an image could not be written', { cause }), { code, syscall: 'write' });
  }
}

/** Whether a file exceeds the worker's limit. The picture is then too large, and the system is not to blame. */
function isFileTooLarge(cause: unknown): boolean {
  if (!(cause instanceof Error)) return false;
  const { code, message, cause: inner } = cause as NodeJS.ErrnoException;
  return code === 'EFBIG' || message.includes('File too large') || isFileTooLarge(inner);
}

function systemErrorText(cause: unknown): string | undefined {
  if (!(cause instanceof Error)) return undefined;
  const { code, syscall } = cause as NodeJS.ErrnoException;
  if (code && syscall) return code;
  const [, known] = Object.entries(systemTexts).find(([text]) => cause.message.includes(text)) ?? [];
  return known;
}
