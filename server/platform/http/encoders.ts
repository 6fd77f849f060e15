/** Encodings of answers, in the order in which we would rather have them. */
import { brotliCompressSync, constants } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { Gzip, ZstdCompress } from 'minizlib';

export const encodings = ['zstd', 'gzip', 'br'] as const;

export type Encoding = (typeof encodings)[number];

/** What it returns may be sent to several, and is not to be changed. Undefined: the answer is sent as it is. */
type Encode = (bytes: Buffer) => Buffer | undefined;

/** Each write ends a frame. The window holds a page of a hundred. */
const zstdOptions = {
  flush: constants.ZSTD_e_end,
  params: { [constants.ZSTD_c_compressionLevel]: -2, [constants.ZSTD_c_windowLog]: 17 },
  chunkSize: 16_384,
};

const gzipOptions = { flush: constants.Z_FINISH, level: 1, chunkSize: 16_384 };

/** Window and chunk are those of a page: less memory to get and to clear. */
const brotliOptions = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_LGWIN]: 16 },
  chunkSize: 4096,
};

/**
 * Making an encoder of Node's takes as long as compressing a page with it, and keeps the garbage collector busy: each
 * stays until a full collection. So one encoder compresses all answers, each as a whole that refers to none before.
 */
export function createEncoders(now = () => performance.now()): Record<Encoding, Encode> {
  const zstd = reusing(() => new ZstdCompress({ ...zstdOptions }));
  const gzip = reusing(() => new Gzip({ ...gzipOptions }));
  return {
    zstd: keeping(zstd, zstd),
    gzip: keeping(gzip, withinTime(gzip, now)),
    // Node cannot set one to its beginning with its level. For those who take nothing else.
    br: (bytes) => brotliCompressSync(bytes, brotliOptions),
  };
}

/** One that failed is not used again. */
function reusing(create: () => Gzip | ZstdCompress): (bytes: Buffer) => Buffer {
  let encoder: Gzip | ZstdCompress | undefined;
  return (bytes) => {
    const current = encoder ?? create();
    encoder = undefined;
    current.reset();
    current.write(bytes);
    const compressed = current.read();
    if (!compressed) throw new Error('an answer was not compressed');
    encoder = current;
    return compressed;
  };
}

const secondMs = 1000;
/** Of a second. */
const mostMs = 20;

/**
 * Gzip costs two thirds of what a list does, where zstd costs a quarter. So of what was not sent before some hundreds of
 * answers a second are compressed; a server that has more to do sends the others as they are.
 */
function withinTime(encode: (bytes: Buffer) => Buffer, now: () => number): Encode {
  let second = 0;
  let spentMs = 0;
  return (bytes) => {
    const begin = now();
    const current = Math.floor(begin / secondMs);
    if (current !== second) spentMs = 0;
    second = current;
    if (spentMs >= mostMs) return undefined;
    const compressed = encode(bytes);
    spentMs += now() - begin;
    return compressed;
  };
}

/** Of each encoding: some two hundred pages of twenty. */
const maxKeptBytes = 4 * 1024 ** 2;
const maxKeptAnswer = 128 * 1024;
/** Answers that were sent once. Keeping what is never sent again would only make work. */
const maxSeen = 200;
/** Of so many bytes a fingerprint is made: a checksum of all takes a fifth of what compressing does. */
const samples = 32;

interface Kept {
  bytes: Buffer;
  compressed: Buffer;
}

/**
 * Bytes that are sent again and again are compressed once. The answer is made anew all the same (ADR 6), and its bytes
 * are compared: where they are equal, what they become is equal, whomever it was for.
 */
function keeping(encode: (bytes: Buffer) => Buffer, encodeFirst: Encode): Encode {
  const seen = new LRUCache<number, true>({ max: maxSeen });
  const kept = new LRUCache<number, Kept>({
    maxSize: maxKeptBytes,
    maxEntrySize: maxKeptAnswer,
    sizeCalculation: ({ bytes, compressed }) => bytes.length + compressed.length,
  });

  return (bytes) => {
    const fingerprint = fingerprintOf(bytes);
    const known = kept.get(fingerprint);
    if (known?.bytes.equals(bytes)) return known.compressed;
    if (!seen.has(fingerprint)) {
      seen.set(fingerprint, true);
      return encodeFirst(bytes);
    }
    const compressed = encode(bytes);
    kept.set(fingerprint, { bytes, compressed });
    return compressed;
  };
}

/** Others may have the same: who finds something by it compares. */
function fingerprintOf(bytes: Buffer): number {
  const step = Math.max(1, Math.floor(bytes.length / samples));
  let fingerprint = bytes.length;
  for (let at = step - 1; at < bytes.length; at += step)
    fingerprint = Math.imul(fingerprint, 31) + bytes[at]!;
  return fingerprint;
}
