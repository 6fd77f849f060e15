/** SHA-256, hex, of bytes that pass by: never all of them in memory. */
import { createHash } from 'node:crypto';

export interface Meter {
  /** The same bytes, counted as they pass. */
  through(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer>;
  /** Of all that has passed; asked once, at the end. */
  sum(): { size: number; sha256: string };
}

export function createMeter(): Meter {
  const hash = createHash('sha256');
  let size = 0;
  return {
    async *through(bytes) {
      for await (const chunk of bytes) {
        size += chunk.length;
        hash.update(chunk);
        yield chunk;
      }
    },
    sum: () => ({ size, sha256: hash.digest('hex') }),
  };
}

export async function checksumOf(bytes: AsyncIterable<Buffer>): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of bytes) hash.update(chunk);
  return hash.digest('hex');
}
