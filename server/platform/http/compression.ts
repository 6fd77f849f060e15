/**
 * Compresses answers in JSON for clients that ask. At once, on the event loop: a page of a list takes some 60 µs, less
 * than handing it to another thread and back. Levels and figures: docs/adr/0037-compression.md.
 */
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { Negotiator } from '@fastify/accept-negotiator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { App } from './app.ts';
import { addVary } from './vary.ts';

/** Smaller answers fit into two packets; compressing them would only cost. */
const leastBytes = 2048;

/** Window and chunk are those of a page: less memory to get and to clear. */
const encoders = {
  br: (bytes: Buffer) =>
    brotliCompressSync(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 1,
        [constants.BROTLI_PARAM_LGWIN]: 16,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
      chunkSize: 4096,
    }),
  gzip: (bytes: Buffer) => gzipSync(bytes, { level: 1 }),
};

type Encoding = keyof typeof encoders;

/** Browsers send a few headers; what others write into it is not kept for long. */
const maxHeaders = 100;
const maxHeaderLength = 200;

/** Every answer of `app` in JSON. */
export function compressAnswers(app: App, { config }: { config: { compression: boolean } }): void {
  if (!config.compression) return;
  const negotiator = new Negotiator({
    supportedValues: Object.keys(encoders),
    cache: new LRUCache({ max: maxHeaders }),
  });

  function encodingFor({ headers }: FastifyRequest): Encoding | null {
    const accepted = headers['accept-encoding'];
    if (typeof accepted !== 'string' || accepted.length > maxHeaderLength) return null;
    return negotiator.negotiate(accepted) as Encoding | null;
  }

  app.addHook('onSend', (request, reply, payload: unknown, done) => {
    if (!isCompressible(reply, payload)) return done(null, payload);
    addVary(reply, 'Accept-Encoding');
    const encoding = encodingFor(request);
    if (!encoding) return done(null, payload);
    reply.header('Content-Encoding', encoding).removeHeader('Content-Length');
    done(null, encoders[encoding](payload));
  });
}

function isCompressible(reply: FastifyReply, payload: unknown): payload is Buffer {
  if (!Buffer.isBuffer(payload) || payload.length < leastBytes || reply.hasHeader('Content-Encoding'))
    return false;
  return String(reply.getHeader('Content-Type')).startsWith('application/json');
}
