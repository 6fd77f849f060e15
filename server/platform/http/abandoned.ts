/** Work that ends when its client goes away. */
import type { FastifyRequest } from 'fastify';

/**
 * Gives `work` a signal that is aborted when the connection closes meanwhile. Not Fastify's `request.signal`: that is
 * aborted as soon as the body has been read.
 */
export async function whileConnected<Result>(
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
