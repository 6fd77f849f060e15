/** Streams over a source of chunks that may block for a long time. */
import { Readable } from 'node:stream';

interface ChunkStreamOptions {
  /** Closes the source of the chunks when the stream is destroyed. */
  onDestroy(): void;
  /** Buffer limit of the stream in bytes. */
  highWaterMark?: number;
}

/**
 * Returns a stream of the chunks that ends at once when it is destroyed. `Readable.from` would wait for the chunk it
 * has requested, and a blocked storage may never deliver it.
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
