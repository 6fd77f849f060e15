/** Computes SHA-256 checksums (hex) of streamed bytes, without holding all bytes in memory. */
import { createHash } from 'node:crypto';

/** Creates a meter that counts and hashes a stream. `onBytes` is called for each chunk. */
export function createChecksumMeter(onBytes?: () => void) {
  const hash = createHash('sha256');
  let size = 0;
  return {
    /** Passes the bytes of a stream on unchanged and counts them. */
    async *through(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      for await (const chunk of bytes) {
        size += chunk.length;
        onBytes?.();
        hash.update(chunk);
        yield chunk;
      }
    },
    /** Returns the size and SHA-256 of all bytes. Can be called only once, after the last byte. */
    sum: () => ({ size, sha256: hash.digest('hex') }),
  };
}

export async function computeChecksum(bytes: AsyncIterable<Buffer>): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of bytes) hash.update(chunk);
  return hash.digest('hex');
}
