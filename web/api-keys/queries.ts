/** Queries and changes of API keys. */
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { callApi } from '../api/client.ts';
import type { ApiKey, NewApiKey } from '../api/types.ts';

export const apiKeysQuery = queryOptions({
  queryKey: ['account', 'keys'],
  queryFn: async ({ signal }) =>
    (await callApi<{ list: ApiKey[] }>('GET', '/api/auth/tokens', { signal })).list,
});

export function useCreateApiKey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (wanted: NewApiKey) =>
      callApi<ApiKey & { token: string }>('POST', '/api/auth/tokens', { body: wanted }),
    // The secret of a new key is never cached.
    gcTime: 0,
    onSuccess: ({ token: _, ...key }) =>
      client.setQueryData(apiKeysQuery.queryKey, (keys) => keys && [key, ...keys]),
  });
}

export function useDeleteApiKey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => callApi<unknown>('DELETE', `/api/auth/tokens/${id}`),
    onSuccess: (_, ended) =>
      client.setQueryData(apiKeysQuery.queryKey, (keys) => keys?.filter(({ id }) => id !== ended)),
  });
}
