/** What imaging keeps between two pictures: who decodes when, whose headers are read when, the decoder of HEIC. */
import { createFairQueue } from '../concurrency/fair-queue.ts';
import { QueueFullError } from './errors.ts';
import { createHeicDecoder } from './heic/heic.ts';
import { inspect } from './inspect.ts';
import type { Source } from './open.ts';
import type { ImagingQueue } from './queue/queue.ts';

export type Imaging = ReturnType<typeof createImaging>;

export function createImaging(queue: ImagingQueue) {
  // Headers are read outside the imaging queue, which wants to know how heavy a picture is: two at once, of which one
  // caller has one. As many may wait as for the imaging queue.
  const headers = createFairQueue({
    maxRunning: 2,
    maxRunningPerCaller: 1,
    maxWaiting: 128,
    maxWaitingPerAddress: 64,
    maxWaitingPerCaller: 24,
    maxWaitMs: 30_000,
    refuse: () => new QueueFullError(2),
  });
  const heic = createHeicDecoder();
  return {
    queue,
    headers,
    /** A picture whose format and size are known and accepted. Throws as `inspect` does. */
    async open(file: string, maxMegapixels?: number): Promise<Source> {
      const inspection = await inspect(file, headers, maxMegapixels);
      const isHeic = inspection.format === 'heic';
      const decodable: Source['decodable'] = async (deadline) =>
        isHeic ? heic.decode(file, inspection, deadline) : file;
      return { file, inspection, decodable };
    },
    /** Takes nothing more, and resolves when all that was taken is done. */
    async close(): Promise<void> {
      await queue.drain();
      await heic.close();
    },
  };
}
