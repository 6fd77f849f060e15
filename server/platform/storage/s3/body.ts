/** Bodies from the store, watched: bytes that are not the right ones never end well. */
import { createHash } from 'node:crypto';
import { pipeline, type Readable, Transform } from 'node:stream';
import { toS3Error } from './errors.ts';

export interface Expected {
  size: number;
  /** Hex; undefined where it is not known, or of a range, which has none. */
  sha256: string | undefined;
}

/**
 * The same bytes, the last of them held back until number and SHA-256 are verified: the reader of a body that is cut
 * off or wrong gets an error instead of its end. Also an error: nothing arrives for `idleMs`.
 */
export function watched(body: Readable, { size, sha256 }: Expected, idleMs: number): Readable {
  const hash = sha256 === undefined ? undefined : createHash('sha256');
  let seen = 0;
  let held: Buffer | undefined;
  let lastAt = performance.now();

  const out = new Transform({
    transform(chunk: Buffer, _encoding, next) {
      lastAt = performance.now();
      seen += chunk.length;
      if (seen > size) return next(broken(`more than the ${size} bytes that were announced`));
      hash?.update(chunk);
      const ready = held;
      held = chunk;
      next(null, ready);
    },
    flush(next) {
      if (seen !== size) next(broken(`${seen} bytes arrived, ${size} were announced`));
      else if (hash && hash.digest('hex') !== sha256) next(broken('the bytes do not have their SHA-256'));
      else next(null, held);
    },
  });
  const timer = setInterval(() => {
    // A reader that takes its time is no fault of the store.
    if (out.writableNeedDrain) lastAt = performance.now();
    if (performance.now() - lastAt > idleMs) out.destroy(broken('no bytes arrive any more'));
  }, idleMs / 4).unref();
  // The reader may not listen yet while it waits for a client; an error without a listener would end the process.
  out.on('error', () => {});
  body.once('error', (error) => out.destroy(toS3Error(error) as Error));
  pipeline(body, out, () => clearInterval(timer));
  return out;
}

function broken(what: string): Error {
  return toS3Error(new Error(`The object in the store: ${what}`)) as Error;
}
