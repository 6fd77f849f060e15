/** SHA-256, hex, of bytes that pass by: never all of them in memory. */
import { createHash } from 'node:crypto';

/** `onBytes`: told as they pass. */
export function createMeter(onBytes?: () => void) {
  const hash = createHash('sha256');
  let size = 0;
  return {
    /** The same bytes, counted as they pass. */
    async *through(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      for await (const chunk of bytes) {
        size += chunk.length;
        onBytes?.();
        hash.update(chunk);
        yield chunk;
      }
    },
    /** Of all that has passed; asked once, at the end. */
    sum: () => ({ size, sha256: hash.digest('hex') }),
  };
}

export async function checksumOf(bytes: AsyncIterable<Buffer>): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of bytes) hash.update(chunk);
  return hash.digest('hex');
}
