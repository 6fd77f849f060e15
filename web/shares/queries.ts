/** Queries and changes of share links: create, list, change, revoke. */
import {
  type InfiniteData,
  infiniteQueryOptions,
  type QueryClient,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { callApi } from '../api/client.ts';
import type { NewShare, PagedResponse, Share, VisibilityLevel } from '../api/types.ts';

export type ShareRules = Omit<NewShare, 'type'>;

/** The photo or album that a link opens. */
export interface ShareTarget {
  type: 'photo' | 'album';
  id: number;
  /** Level that counts for the photo or album. */
  level: VisibilityLevel;
}

const perPage = 50;

export const sharesQuery = infiniteQueryOptions({
  queryKey: ['shares'],
  queryFn: ({ pageParam, signal }) =>
    callApi<PagedResponse<Share>>('GET', '/api/shares', {
      query: { page: pageParam, limit: perPage },
      signal,
    }),
  initialPageParam: 1,
  getNextPageParam: ({ pagination: { page, pages } }) => (page < pages ? page + 1 : undefined),
  // Views are counted while the tab is in the background.
  staleTime: 30_000,
});

export function useCreateShare({ type, id }: ShareTarget) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (rules: ShareRules) =>
      callApi<{ id: number; url: string }>('POST', `/api/${type}s/${id}/share`, {
        body: { type: 'link', ...rules },
      }),
    onSuccess: () => client.invalidateQueries({ queryKey: sharesQuery.queryKey, refetchType: 'none' }),
  });
}

export function useUpdateShare(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (rules: ShareRules) => callApi<Share>('PUT', `/api/shares/${id}`, { body: rules }),
    onSuccess: (changed) =>
      patchShares(client, (shares) => shares.map((one) => (one.id === id ? changed : one))),
  });
}

export function useRevokeShare(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => callApi<unknown>('DELETE', `/api/shares/${id}`),
    onSuccess: () => patchShares(client, (shares) => shares.filter((one) => one.id !== id)),
  });
}

function patchShares(client: QueryClient, change: (shares: Share[]) => Share[]): void {
  client.setQueryData(sharesQuery.queryKey, (data: InfiniteData<PagedResponse<Share>> | undefined) => {
    if (!data) return data;
    return { ...data, pages: data.pages.map((page) => ({ ...page, list: change(page.list) })) };
  });
}
