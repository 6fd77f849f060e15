/** What admins see of a gallery, and what they do there. Acts ask again for the lists that they change. */
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import type {
  AdminComment,
  AdminPhoto,
  AdminUser,
  Invite,
  LogEntry,
  MadeInvite,
  NewInvite,
  Paged,
  Report,
  Stats,
} from '../api/types.ts';

/** Others change it, too. */
const freshMs = 15_000;
const pageSize = 50;

export const statsQuery = (days: number) =>
  queryOptions({
    queryKey: ['admin', 'stats', days],
    queryFn: ({ signal }) => call<Stats>('GET', '/api/admin/stats', { query: { days }, signal }),
    placeholderData: keepPreviousData,
    staleTime: freshMs,
  });

interface Lists {
  users: AdminUser;
  invites: Invite;
  reports: Report;
  photos: AdminPhoto;
  comments: AdminComment;
  logs: LogEntry;
}

export type Filter = Record<string, string | number | undefined>;

export const listQuery = <Name extends keyof Lists>(name: Name, filter: Filter) =>
  queryOptions({
    queryKey: ['admin', name, filter],
    queryFn: ({ signal }) =>
      call<Paged<Lists[Name]>>('GET', `/api/admin/${name}`, {
        query: { limit: pageSize, ...filter },
        signal,
      }),
    placeholderData: keepPreviousData,
    staleTime: freshMs,
  });

export interface UserChange {
  status?: 0 | 1;
  is_admin?: boolean;
  quota_mb?: number | null;
}

export type HandleAction = 'dismiss' | 'delete' | 'disable_user';

function useAct<Given, Result>(act: (given: Given) => Promise<Result>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: act,
    // Not waited for: a dialog closes when the act is done.
    onSettled: () => void client.invalidateQueries({ queryKey: ['admin'] }),
  });
}

export const useChangeUser = () =>
  useAct(({ id, change }: { id: number; change: UserChange }) =>
    call('PUT', `/api/admin/users/${id}`, { body: change }),
  );
export const useEndSessions = () => useAct((id: number) => call('DELETE', `/api/admin/users/${id}/sessions`));
export const useResetLink = () =>
  useAct((id: number) => call<{ url: string }>('POST', `/api/admin/users/${id}/reset-link`));
export const useInvite = () =>
  useAct((invite: NewInvite) => call<MadeInvite>('POST', '/api/admin/invites', { body: invite }));
export const useDelete = (name: 'users' | 'invites' | 'photos' | 'comments') =>
  useAct((id: number) => call('DELETE', `/api/admin/${name}/${id}`));

/** All reports about the same thing leave the queue at once: no key meets one of them again. */
export function useHandleReport() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, action }: { id: number; action: HandleAction }) =>
      call<{ reports: number[] }>('POST', `/api/admin/reports/${id}/handle`, { body: { action } }),
    onSuccess: ({ reports }) =>
      client.setQueriesData<Paged<Report>>(
        { queryKey: ['admin', 'reports'] },
        (page) => page && { ...page, list: page.list.filter(({ id }) => !reports.includes(id)) },
      ),
    onSettled: () => void client.invalidateQueries({ queryKey: ['admin'] }),
  });
}
