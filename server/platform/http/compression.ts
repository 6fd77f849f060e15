/**
 * Compresses answers in JSON for clients that ask. At once, on the event loop: a page of a list takes some 20 µs, less
 * than handing it to another thread and back. Levels and figures: docs/adr/0037-compression.md.
 */
import type { FastifyReply } from 'fastify';
import { createChooseEncoding } from './accepted-encoding.ts';
import type { App } from './app.ts';
import { createEncoders, encodings } from './encoders.ts';
import { addVary } from './vary.ts';

/** Smaller answers fit into two packets; compressing them would only cost. */
const leastBytes = 2048;

/** Every answer of `app` in JSON, and every page. */
export function compressAnswers(app: App, { config }: { config: { compression: boolean } }): void {
  if (!config.compression) return;
  const encoders = createEncoders();
  const chooseEncoding = createChooseEncoding([...encodings]);
  app.addHook('onSend', (request, reply, payload: unknown, done) => {
    if (!isCompressible(reply, payload)) return done(null, payload);
    addVary(reply, 'Accept-Encoding');
    const encoding = chooseEncoding(request.headers['accept-encoding']);
    const encoded = encoding && encoders[encoding](payload);
    if (!encoded) return done(null, payload);
    reply.header('Content-Encoding', encoding).removeHeader('Content-Length');
    done(null, encoded);
  });
}

function isCompressible(reply: FastifyReply, payload: unknown): payload is Buffer {
  if (!Buffer.isBuffer(payload) || payload.length < leastBytes || reply.hasHeader('Content-Encoding'))
    return false;
  return /^(?:application\/json|text\/html)/.test(String(reply.getHeader('Content-Type')));
}
