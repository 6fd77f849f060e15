/**
 * Compresses answers for clients that ask. At once, on the event loop: a page of a list takes some 50 µs, less than
 * handing it to another thread and back (docs/adr/0037-compression.md).
 */
import { constants, gzipSync, zstdCompressSync } from 'node:zlib';
import type { FastifyReply } from 'fastify';
import { chooseEncoding } from './accepted-encoding.ts';
import type { App } from './app.ts';
import { addVary } from './vary.ts';

/** Smaller answers fit into two packets; compressing them would only cost. */
const minBytes = 2048;

/** Each at its fastest level. A larger window costs zstd more to allocate than a page costs to compress. */
const encoders = {
  zstd: (bytes: string | Buffer) =>
    zstdCompressSync(bytes, {
      params: { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_windowLog]: 17 },
    }),
  gzip: (bytes: string | Buffer) => gzipSync(bytes, { level: 1 }),
};
const encodings = ['zstd', 'gzip'] as const;

/** Every answer of `app` in JSON, and every page. */
export function compressAnswers(app: App, { config }: { config: { compression: boolean } }): void {
  if (!config.compression) return;
  app.addHook('onSend', (request, reply, payload: unknown, done) => {
    if (!isCompressible(reply, payload)) return done(null, payload);
    addVary(reply, 'Accept-Encoding');
    const encoding = chooseEncoding(request.headers['accept-encoding'], encodings);
    if (!encoding) return done(null, payload);
    reply.header('Content-Encoding', encoding).removeHeader('Content-Length');
    done(null, encoders[encoding](payload));
  });
}

function isCompressible(reply: FastifyReply, payload: unknown): payload is string | Buffer {
  const isWhole = typeof payload === 'string' || Buffer.isBuffer(payload);
  if (!isWhole || payload.length < minBytes || reply.hasHeader('Content-Encoding')) return false;
  return /^(?:application\/json|text\/html)/.test(String(reply.getHeader('Content-Type')));
}
