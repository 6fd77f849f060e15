/** How long answers are kept, and what is asked for once more. */
import { notifyManager, QueryClient } from '@tanstack/react-query';
import { type ApiError, offline } from './api/client.ts';

const minute = 60_000;
const maxTries = 2;

export function createQueryClient(): QueryClient {
  // Before the next click: what is being sent is not sent twice.
  notifyManager.setScheduler(queueMicrotask);
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5 * minute,
        gcTime: 10 * minute,
        // Coming back to a tab costs no call: lists are renewed by what their reader does.
        refetchOnWindowFocus: false,
        retry: (failures, error) => failures < maxTries && isTemporary(error),
      },
      mutations: { networkMode: 'always' },
    },
  });
}

/**
 * Refusals stay what they are. A server that is busy or out of reach may answer in a moment; so may one that has much of
 * this caller's under way.
 */
export function isTemporary(error: Error): boolean {
  const { status } = error as Partial<ApiError>;
  return status! >= 500 || status === 429 || status === offline;
}
