/** The body of a request that may be cut off at any byte: what came until then counts. */
import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';

export interface Body {
  bytes: AsyncIterable<Buffer>;
  /** No further bytes are taken: the rest is for a later request. */
  stop(): void;
  /** Whether it ended before it was complete. */
  readonly isCut: boolean;
}

/** The bytes end where the body, the connection or the server's interest does, without an error. */
export function bodyOf(request: IncomingMessage): Body {
  const bytes = new PassThrough();
  let isComplete = false;
  const end = () => {
    request.unpipe(bytes);
    request.off('end', complete).off('close', end).off('error', end);
    bytes.end();
  };
  const complete = () => {
    isComplete = true;
    end();
  };
  request.on('end', complete).on('close', end).on('error', end);
  if (request.destroyed) end();
  else request.pipe(bytes, { end: false });
  return {
    bytes,
    stop: end,
    get isCut() {
      return !isComplete;
    },
  };
}
