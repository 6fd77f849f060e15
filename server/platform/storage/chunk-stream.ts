/** Streams whose bytes come from somewhere that may keep them waiting. */
import { Readable } from 'node:stream';

interface ChunkStreamOptions {
  /** Closes the source of the chunks. */
  onDestroy(): void;
  /** In bytes. */
  highWaterMark?: number;
}

/**
 * A stream of the chunks that ends at once when it is destroyed. `Readable.from` would wait for the chunk that it has
 * asked for, and a storage may never give it.
 */
export function chunkStream(
  chunks: AsyncGenerator<Buffer>,
  { onDestroy, ...options }: ChunkStreamOptions,
): Readable {
  return new Readable({
    ...options,
    async read() {
      try {
        const { value, done } = await chunks.next();
        this.push(done ? null : value);
      } catch (error) {
        this.destroy(error as Error);
      }
    },
    destroy(error, done) {
      onDestroy();
      chunks.return(undefined).catch(() => {});
      done(error);
    },
  });
}
