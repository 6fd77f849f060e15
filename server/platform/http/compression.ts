/**
 * Compresses responses for clients that accept it. Compression runs on the event loop: a page of a list takes about 50
 * µs, less than a round trip to another thread (`docs/adr/0037-compression.md`).
 */
import { constants, gzipSync, zstdCompressSync } from 'node:zlib';
import type { FastifyReply } from 'fastify';
import { chooseEncoding } from './accepted-encoding.ts';
import type { App } from './app.ts';
import { addVary } from './vary.ts';

/**
 * Minimum bytes of a compressed response. Smaller responses fit into two packets, so compressing them would only cost
 * time.
 */
const minBytes = 2048;

/** Encoders at their fastest level. A larger window would cost zstd more to allocate than a page costs to compress. */
const compressorByEncoding = {
  zstd: (bytes: string | Buffer) =>
    zstdCompressSync(bytes, {
      params: { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_windowLog]: 17 },
    }),
  gzip: (bytes: string | Buffer) => gzipSync(bytes, { level: 1 }),
};
const offeredEncodings = ['zstd', 'gzip'] as const;

/** Compresses every JSON response and every page of `app`. */
export function compressAnswers(app: App, { config }: { config: { compression: boolean } }): void {
  if (!config.compression) return;
  app.addHook('onSend', (request, reply, payload: unknown, done) => {
    if (!isCompressible(reply, payload)) return done(null, payload);
    addVary(reply, 'Accept-Encoding');
    const encoding = chooseEncoding(request.headers['accept-encoding'], offeredEncodings);
    if (!encoding) return done(null, payload);
    reply.header('Content-Encoding', encoding).removeHeader('Content-Length');
    done(null, compressorByEncoding[encoding](payload));
  });
}

function isCompressible(reply: FastifyReply, payload: unknown): payload is string | Buffer {
  const isWhole = typeof payload === 'string' || Buffer.isBuffer(payload);
  if (!isWhole || payload.length < minBytes || reply.hasHeader('Content-Encoding')) return false;
  return /^(?:application\/json|text\/html)/.test(String(reply.getHeader('Content-Type')));
}
