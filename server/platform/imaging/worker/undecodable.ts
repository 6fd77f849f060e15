/** Turns the errors of decoders and encoders into failures that the server can answer with. */
import { ImageError } from '../errors.ts';
import type { Failure } from '../jobs.ts';

/**
 * An error that a user's bytes provoke is the user's mistake. Our own mistakes (a TypeError and its like) and refusals of
 * the system keep their kind.
 */
export function toFailure(cause: unknown): Failure {
  const text = cut(cause instanceof Error ? cause.message : String(cause), 2000);
  if (cause instanceof ImageError) {
    return { refused: cause.reason, message: cause.message, cause: cut(String(cause.cause ?? ''), 2000) };
  }
  if (cause instanceof TypeError || cause instanceof ReferenceError) {
    return { mistake: cut(cause.stack ?? text, 4000) };
  }
  const code = refusedBySystem(cause);
  if (code !== undefined) return { system: code, cause: text };
  if (ofMemory.test(text)) return { memory: text };
  return { refused: 'format', message: 'The file is damaged or not an image', cause: text };
}

const cut = (text: string, length: number): string => text.slice(0, length);

/**
 * In the words of libvips, libjpeg, libheif, V8 and GLib, which finds no room for the stack of a thread. libwebp's encoder
 * says no more than that it is unable: for memory, or because a part becomes too large. Either is the picture's doing.
 */
const ofMemory =
  /out of memory|insufficient memory|memory allocation|allocation failed|unable to (allocate|encode)|creating thread/i;

/** libvips tells it by the system's text alone, and loses that on some ways: then by what it was writing to. */
const systemTexts: Record<string, string> = {
  'No space left on device': 'ENOSPC',
  'Disk quota exceeded': 'EDQUOT',
  'Read-only file system': 'EROFS',
  'Too many open files in system': 'ENFILE',
  'Too many open files': 'EMFILE',
};

/**
 * For what is made of decoded pixels: no bytes of a user's can be wrong any more, and libvips does not always tell that
 * it could not write.
 */
export async function written<Info>(writing: Promise<Info>): Promise<Info> {
  try {
    return await writing;
  } catch (cause) {
    if (!(cause instanceof Error) || ofMemory.test(cause.message)) throw cause;
    const code = refusedBySystem(cause) ?? 'ENOSPC';
    throw Object.assign(new Error('an image could not be written', { cause }), { code, syscall: 'write' });
  }
}

function refusedBySystem(cause: unknown): string | undefined {
  if (!(cause instanceof Error)) return undefined;
  const { code, syscall } = cause as NodeJS.ErrnoException;
  // Longer than a file may become here: it is the picture that asks for it.
  if (code === 'EFBIG' || cause.message.includes('File too large')) return undefined;
  if (code && syscall) return code;
  const [, known] = Object.entries(systemTexts).find(([text]) => cause.message.includes(text)) ?? [];
  return known;
}
