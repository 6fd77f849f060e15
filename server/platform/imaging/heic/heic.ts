import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import PQueue from 'p-queue';
import type { Deadline } from '../deadline.ts';
import { undecodable } from '../errors.ts';
import type { Inspection } from '../inspect.ts';
import { heicSeconds } from '../limits.ts';
import type { HeicAnswer, HeicQuestion } from './worker.ts';

/** The decoder's memory never shrinks (it is WebAssembly's), so that its thread ends after this much quiet. */
const idleMs = 5_000;

/** And at once after one with more pixels than a phone's usual picture has, whose memory it would keep. */
const keptPixels = 13_000_000;

export function createHeicDecoder() {
  /** One picture at a time: a decoded one is large, and the decoder has one thread. */
  const oneAtATime = new PQueue({ concurrency: 1 });
  let worker: Worker | undefined;
  let idleTimer: NodeJS.Timeout | undefined;

  async function decode(file: string, pixels: number, deadline: Deadline): Promise<Buffer> {
    const timeout = AbortSignal.timeout(Math.min(heicSeconds, deadline.secondsLeft()) * 1000);
    const thread = startWorker();
    try {
      const answered = once(thread, 'message', { signal: timeout }) as Promise<[HeicAnswer]>;
      thread.postMessage({ file, pixels } satisfies HeicQuestion);
      const [answer] = await answered;
      if ('error' in answer) throw undecodable(answer.error);
      if (pixels > keptPixels) await endWorker();
      return Buffer.from(answer.tiff.buffer);
    } catch (error) {
      // Whether it crashed (`once` rejects then), hangs or only complained: a decoder that met a bad file is not kept.
      await endWorker();
      throw undecodable(error);
    } finally {
      worker?.unref();
      idleTimer = setTimeout(endWorker, idleMs).unref();
    }
  }

  function startWorker(): Worker {
    clearTimeout(idleTimer);
    worker ??= newWorker();
    worker.ref();
    return worker;
  }

  async function endWorker(): Promise<void> {
    clearTimeout(idleTimer);
    const ending = worker;
    worker = undefined;
    await ending?.terminate();
  }

  return {
    /** Off the main thread, as a TIFF in memory: upright, since libheif turns it, with its colour profile. */
    decode: (file: string, { width, height }: Inspection, deadline: Deadline): Promise<Buffer> =>
      oneAtATime.add(() => decode(file, width * height, deadline)),
    /** When no picture is under way. */
    close: endWorker,
  };
}

function newWorker(): Worker {
  const thread = new Worker(new URL('./worker.ts', import.meta.url), { name: 'heic' });
  // Without a listener, a thread that fails between two pictures would take the whole process down.
  thread.on('error', () => {});
  return thread;
}
