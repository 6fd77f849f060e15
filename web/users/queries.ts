/** Queries of people, followers and followed people. */
import {
  type InfiniteData,
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { callApi } from '../api/client.ts';
import type { FollowedUser, PagedResponse, User, UserProfile } from '../api/types.ts';
import { isTemporaryError } from '../query-client.ts';

/** Loads a person by username or id. */
export const personQuery = (name: string) =>
  queryOptions({
    queryKey: ['people', name.toLowerCase()],
    queryFn: ({ signal }) =>
      callApi<UserProfile>('GET', `/api/users/${encodeURIComponent(name)}`, { signal }),
  });

/** Loads some people of the gallery. */
export const suggestedPeopleQuery = (limit: number) =>
  queryOptions({
    queryKey: ['suggested people', limit],
    queryFn: ({ signal }) => callApi<PagedResponse<User>>('GET', '/api/users', { query: { limit }, signal }),
  });

const pageSize = 50;
const freshMs = 30_000;

export type FollowDirection = 'followers' | 'following';

/** Loads followers of a person or people whom the person follows, latest first. */
export const followsQuery = (name: string, which: FollowDirection) =>
  infiniteQueryOptions({
    queryKey: ['follows', name.toLowerCase(), which],
    queryFn: ({ pageParam: page, signal }) =>
      callApi<PagedResponse<FollowedUser>>('GET', `/api/users/${encodeURIComponent(name)}/${which}`, {
        query: { page, limit: pageSize },
        signal,
      }),
    initialPageParam: 1,
    getNextPageParam: ({ pagination: { page, pages } }) => (page < pages ? page + 1 : undefined),
    staleTime: freshMs,
  });

const maxTries = 2;

/**
 * Follows or unfollows a person. The request names the wanted state, so it can be retried; the display
 * reverts on failure.
 */
export function useFollow(name: string) {
  const client = useQueryClient();
  return useMutation({
    scope: { id: `follow ${name}` },
    mutationFn: (following: boolean) =>
      callApi<Pick<UserProfile, 'is_following'>>('POST', `/api/users/${encodeURIComponent(name)}/follow`, {
        body: { following },
      }),
    retry: (failures, error) => failures < maxTries && isTemporaryError(error),
    onMutate: (following) => patchFollowing(client, name, following),
    onError: (_, following) => patchFollowing(client, name, !following),
    // The feed has changed, so its cache is removed and reloaded on the next visit.
    onSuccess: () => client.removeQueries({ queryKey: ['photos', 'list', { path: '/api/feed' }] }),
  });
}

function patchFollowing(client: QueryClient, name: string, following: boolean): void {
  const isSamePerson = ({ username }: FollowedUser) => username.toLowerCase() === name.toLowerCase();
  client.setQueriesData<InfiniteData<PagedResponse<FollowedUser>>>({ queryKey: ['follows'] }, (data) => {
    const withFollowing = (one: FollowedUser) =>
      isSamePerson(one) ? { ...one, is_following: following } : one;
    return (
      data && { ...data, pages: data.pages.map((page) => ({ ...page, list: page.list.map(withFollowing) })) }
    );
  });
  client.setQueryData(personQuery(name).queryKey, (person) => {
    if (!person || person.is_following === following) return person;
    const followers = person.stats.followers + (following ? 1 : -1);
    return { ...person, is_following: following, stats: { ...person.stats, followers } };
  });
}
