/**
 * Respects the API's rate limit per minute, as responses report the limit (X-RateLimit-*). Prefetches stop
 * first, then calls of the page itself; the last calls are reserved for the user's actions. Without calls
 * left, requests wait for the next minute.
 */
import { type RateLimit, readRateLimit } from './limit.ts';

export type ApiCallUrgency = 'ahead' | 'page' | 'act';

/** Part of a minute's calls that must remain before a call of each urgency is sent. */
const reservedShares: Record<ApiCallUrgency, number> = { ahead: 1 / 3, page: 1 / 6, act: 0 };
/** Milliseconds to wait after the minute ends, because the server's clock may be a little behind. */
const marginMs = 500;

type WaitListener = (waitsUntil: number | undefined) => void;

/** State before the first response. */
const fullLimit: Readonly<RateLimit> = { limit: 0, left: Number.POSITIVE_INFINITY, renewed: 0 };

function createRateLimiter(now = () => Date.now(), channel = openChannel('lightwell-rate-limit')) {
  let state = { ...fullLimit };
  let waiting = 0;
  const listeners = new Set<WaitListener>();
  // All tabs share one rate limit, so each tab receives the others' figures.
  channel?.addEventListener('message', ({ data }: MessageEvent<RateLimit>) => {
    state = data;
  });

  const countLeft = () => (now() >= state.renewed ? Number.POSITIVE_INFINITY : state.left);
  const notifyListeners = () => {
    for (const listener of listeners) listener(waiting > 0 ? state.renewed : undefined);
  };

  return {
    /** Resolves when a call of this urgency may be sent. */
    async before(urgency: ApiCallUrgency, signal?: AbortSignal): Promise<void> {
      while (countLeft() <= state.limit * reservedShares[urgency]) {
        // A wait is shown to the user only if the user waits for the call.
        const isTold = urgency !== 'ahead';
        if (isTold) waiting++;
        notifyListeners();
        try {
          await waitMilliseconds(state.renewed - now() + marginMs, signal);
        } finally {
          if (isTold) waiting--;
          notifyListeners();
        }
      }
      state.left--;
    },
    note(headers: Headers): void {
      const told = readRateLimit(headers, now());
      if (!told) return;
      state = told;
      channel?.postMessage(state);
    },
    isEmpty: () => countLeft() <= 0,
    /** Drops the figures of the address in all tabs, because the account that signed in has its own limit. */
    reset(): void {
      state = { ...fullLimit };
      channel?.postMessage(state);
    },
    /**
     * Calls the listener when calls begin to wait and when they go on. Returns a function that removes the
     * listener.
     */
    onWait(listener: WaitListener): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function openChannel(name: string): BroadcastChannel | undefined {
  return typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(name);
}

function waitMilliseconds(ms: number, signal?: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, Math.max(0, ms));
  signal?.addEventListener('abort', () => {
    clearTimeout(timer);
    reject(signal.reason);
  });
  return promise;
}

export const rateLimiter = createRateLimiter();
