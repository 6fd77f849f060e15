/** A background job that runs at most once at a time. */
import type { EventEmitter } from 'node:events';

export interface BackgroundJob {
  /** Starts a run of the job and returns at once. If a run is active, a second run follows. */
  start(): void;
  startIn(ms: number): void;
  /** Prevents new runs, and resolves when the active run has ended. */
  stop(): Promise<void>;
}

export interface BackgroundJobOptions {
  /** Does the work. Returns early when `stop` is aborted; the next start does the remaining work. */
  run(stop: AbortSignal): Promise<void>;
  onError(error: unknown): void;
  /** Event that starts a run of the job each time it is emitted. */
  on?: { events: EventEmitter; event: string };
  /** Milliseconds from the end of a run to the next. Undefined means that only `start` and `startIn` start runs. */
  everyMs?: number;
  /** Milliseconds from a failed run to the next. The default is `everyMs`. */
  retryMs?: number;
}

export function createBackgroundJob({
  run,
  onError,
  on,
  everyMs,
  retryMs = everyMs,
}: BackgroundJobOptions): BackgroundJob {
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
