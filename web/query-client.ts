/** Settings of the query cache: how long responses stay cached, and which failures are retried. */
import { notifyManager, QueryClient } from '@tanstack/react-query';
import { type ApiError, offlineStatus } from './api/client.ts';

const minuteMs = 60_000;
const maxTries = 2;

export function createQueryClient(): QueryClient {
  // Notify in a microtask, so that a form is disabled before the next click can send it again.
  notifyManager.setScheduler(queueMicrotask);
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5 * minuteMs,
        gcTime: 10 * minuteMs,
        // Returning to a tab sends no requests; the user's actions reload lists.
        refetchOnWindowFocus: false,
        retry: (failures, error) => failures < maxTries && isTemporaryError(error),
      },
      mutations: { networkMode: 'always' },
    },
  });
}

/**
 * Returns whether a call may succeed on retry: the server is busy or unreachable, or has too many requests of
 * the caller. A refusal never changes on retry.
 */
export function isTemporaryError(error: Error): boolean {
  const { status } = error as Partial<ApiError>;
  return status! >= 500 || status === 429 || status === offlineStatus;
}
