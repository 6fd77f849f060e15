/** Work in the background, one run at a time. */
import type { EventEmitter } from 'node:events';

export interface Job {
  /** Runs it now, and once more if a run is under way; returns at once. */
  start(): void;
  startIn(ms: number): void;
  /** Resolves when the run under way has ended; no other begins. */
  stop(): Promise<void>;
}

export interface JobOptions {
  /** Ends early when `stop` is aborted. What is left is taken up at the next start. */
  run(stop: AbortSignal): Promise<void>;
  onError(error: unknown): void;
  /** Each such event starts a run. */
  on?: { events: EventEmitter; event: string };
  /** Milliseconds from the end of a run to the next; undefined: runs only when it is asked for. */
  everyMs?: number;
  /** The same after a failure. */
  retryMs?: number;
}

export function createJob({ run, onError, on, everyMs, retryMs = everyMs }: JobOptions): Job {
  const stopping = new AbortController();
  let working: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isAsked = false;

  function start(): void {
    if (stopping.signal.aborted) return;
    isAsked = true;
    working ??= work().finally(() => {
      working = undefined;
      if (isAsked) start();
    });
  }

  function startIn(ms: number): void {
    clearTimeout(timer);
    if (!stopping.signal.aborted) timer = setTimeout(start, ms).unref();
  }

  async function work(): Promise<void> {
    isAsked = false;
    clearTimeout(timer);
    let nextMs = everyMs;
    try {
      await run(stopping.signal);
    } catch (error) {
      onError(error);
      nextMs = retryMs;
    }
    if (nextMs !== undefined) startIn(nextMs);
  }

  on?.events.on(on.event, start);
  return {
    start,
    startIn,
    async stop() {
      stopping.abort();
      on?.events.off(on.event, start);
      clearTimeout(timer);
      await working;
    },
  };
}
