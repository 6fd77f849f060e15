/** People: who one is, and whom one follows. */
import {
  type InfiniteData,
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { call } from '../api/client.ts';
import type { FollowedUser, Paged, UserHome } from '../api/types.ts';
import { isPassing } from '../query-client.ts';

/** By username, or by id. */
export const personOf = (name: string) =>
  queryOptions({
    queryKey: ['people', name.toLowerCase()],
    queryFn: ({ signal }) => call<UserHome>('GET', `/api/users/${encodeURIComponent(name)}`, { signal }),
  });

const pageSize = 50;
const freshMs = 30_000;

export type FollowSide = 'followers' | 'following';

/** Who follows a person, or whom they follow; the latest first. */
export const followsOf = (name: string, which: FollowSide) =>
  infiniteQueryOptions({
    queryKey: ['follows', name.toLowerCase(), which],
    queryFn: ({ pageParam: page, signal }) =>
      call<Paged<FollowedUser>>('GET', `/api/users/${encodeURIComponent(name)}/${which}`, {
        query: { page, limit: pageSize },
        signal,
      }),
    initialPageParam: 1,
    getNextPageParam: ({ pagination: { page, pages } }) => (page < pages ? page + 1 : undefined),
    staleTime: freshMs,
  });

const maxTries = 2;

/** Says what it shall be, so that it may be sent again; shown at once, taken back where it fails. */
export function useFollow(name: string) {
  const client = useQueryClient();
  return useMutation({
    scope: { id: `follow ${name}` },
    mutationFn: (following: boolean) =>
      call<Pick<UserHome, 'is_following'>>('POST', `/api/users/${encodeURIComponent(name)}/follow`, {
        body: { following },
      }),
    retry: (failures, error) => failures < maxTries && isPassing(error),
    onMutate: (following) => patch(client, name, following),
    onError: (_, following) => patch(client, name, !following),
    // The feed has other photos now: it is asked for anew when one goes there.
    onSuccess: () => client.removeQueries({ queryKey: ['photos', 'list', { path: '/api/feed' }] }),
  });
}

function patch(client: QueryClient, name: string, following: boolean): void {
  const isMeant = ({ username }: FollowedUser) => username.toLowerCase() === name.toLowerCase();
  client.setQueriesData<InfiniteData<Paged<FollowedUser>>>({ queryKey: ['follows'] }, (data) => {
    const follow = (one: FollowedUser) => (isMeant(one) ? { ...one, is_following: following } : one);
    return data && { ...data, pages: data.pages.map((page) => ({ ...page, list: page.list.map(follow) })) };
  });
  client.setQueryData(personOf(name).queryKey, (person) => {
    if (!person || person.is_following === following) return person;
    const followers = person.stats.followers + (following ? 1 : -1);
    return { ...person, is_following: following, stats: { ...person.stats, followers } };
  });
}
