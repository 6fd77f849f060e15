/** Work that is canceled when its client disconnects. */
import type { FastifyRequest } from 'fastify';

/**
 * Passes `work` a signal that is aborted when the client's connection closes. Fastify's `request.signal` is not used,
 * because it is aborted as soon as the body has been read.
 */
export async function runWhileConnected<Result>(
  { raw }: FastifyRequest,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  const abort = () => controller.abort();
  const { socket } = raw;
  if (socket.destroyed) abort();
  socket.once('close', abort);
  try {
    return await work(controller.signal);
  } finally {
    socket.removeListener('close', abort);
  }
}
