/** People: who one is, and whom one follows. */
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import type { UserHome } from '../api/types.ts';
import { isPassing } from '../query-client.ts';

/** By username, or by id. */
export const personOf = (name: string) =>
  queryOptions({
    queryKey: ['people', name.toLowerCase()],
    queryFn: ({ signal }) => call<UserHome>('GET', `/api/users/${encodeURIComponent(name)}`, { signal }),
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
  client.setQueryData(personOf(name).queryKey, (person) => {
    if (!person || person.is_following === following) return person;
    const followers = person.stats.followers + (following ? 1 : -1);
    return { ...person, is_following: following, stats: { ...person.stats, followers } };
  });
}
