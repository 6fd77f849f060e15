/** Reads the body of a request that may be cut off at any byte, and counts every byte that arrived. */
import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';

export interface UploadBody {
  bytes: AsyncIterable<Buffer>;
  /** Stops reading the body. The client sends the remaining bytes in a later request. */
  stop(): void;
  /** True if the body ended before the client sent all of it. */
  readonly isCut: boolean;
}

/**
 * Returns the body of a request as a stream. The stream ends without an error after the last byte, after a disconnect,
 * or after `stop`.
 */
export function openUploadBody(request: IncomingMessage): UploadBody {
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
