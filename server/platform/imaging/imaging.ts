/** What imaging keeps between two pictures: who decodes when, whose headers are read when, the decoder of HEIC. */
import { createFairQueue, type FairQueue } from '../concurrency/fair-queue.ts';
import { QueueFullError } from './errors.ts';
import { createHeicDecoder } from './heic/heic.ts';
import { inspect } from './inspect.ts';
import type { Source } from './open.ts';
import type { ImagingQueue } from './queue/queue.ts';

export interface Imaging {
  queue: ImagingQueue;
  /** Of reading headers. */
  headers: FairQueue;
  /** A picture whose format and size are known and accepted. Throws as `inspect` does. */
  open(file: string, maxMegapixels?: number): Promise<Source>;
  /** Takes nothing more, and resolves when all that was taken is done. */
  close(): Promise<void>;
}

export function createImaging(queue: ImagingQueue): Imaging {
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
    async open(file, maxMegapixels) {
      const inspection = await inspect(file, headers, maxMegapixels);
      const isHeic = inspection.format === 'heic';
      return {
        file,
        inspection,
        decodable: async (deadline) => (isHeic ? heic.decode(file, inspection, deadline) : file),
      };
    },
    async close() {
      await queue.drain();
      await heic.close();
    },
  };
}
