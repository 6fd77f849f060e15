/** Keys for programs. */
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import type { ApiKey, NewApiKey } from '../api/types.ts';

export const keysQuery = queryOptions({
  queryKey: ['account', 'keys'],
  queryFn: async ({ signal }) => (await call<{ list: ApiKey[] }>('GET', '/api/auth/tokens', { signal })).list,
});

export function useMakeKey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (wanted: NewApiKey) =>
      call<ApiKey & { token: string }>('POST', '/api/auth/tokens', { body: wanted }),
    // The key itself is in nothing that is kept.
    gcTime: 0,
    onSuccess: ({ token: _, ...key }) =>
      client.setQueryData(keysQuery.queryKey, (keys) => keys && [key, ...keys]),
  });
}

export function useDeleteKey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => call<unknown>('DELETE', `/api/auth/tokens/${id}`),
    onSuccess: (_, ended) =>
      client.setQueryData(keysQuery.queryKey, (keys) => keys?.filter(({ id }) => id !== ended)),
  });
}
