/** Queries and actions of the administration. An action invalidates the lists that it changes. */
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { lightenForDark, pageBackgrounds } from '../../server/platform/schema/color.ts';
import { callApi } from '../api/client.ts';
import type {
  AdminApiKey,
  AdminComment,
  AdminPhoto,
  AdminUser,
  AuditLogEntry,
  CreatedInvite,
  GalleryStats,
  Invite,
  NewInvite,
  PagedResponse,
  Report,
  SiteSettings,
  SiteSettingsUpdate,
} from '../api/types.ts';
import { refetchUser, siteQuery } from '../auth/queries.ts';

/** Other admins change the same lists, so a list counts as stale after 15 seconds. */
const freshMs = 15_000;
const pageSize = 50;

export const statsQuery = (days: number) =>
  queryOptions({
    queryKey: ['admin', 'stats', days],
    queryFn: ({ signal }) => callApi<GalleryStats>('GET', '/api/admin/stats', { query: { days }, signal }),
    placeholderData: keepPreviousData,
    staleTime: freshMs,
  });

export const siteSettingsQuery = queryOptions({
  queryKey: ['admin', 'settings'],
  queryFn: ({ signal }) => callApi<SiteSettings>('GET', '/api/admin/settings', { signal }),
});

/** Runs a change of the settings. All pages then show the gallery's new name, logo and color. */
function useSiteSettingsAction<Given>(act: (given: Given) => Promise<SiteSettings>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: act,
    onSuccess: (settings) => {
      client.setQueryData(siteSettingsQuery.queryKey, settings);
      showAccentColor(settings.accent_color);
      return client.invalidateQueries(siteQuery);
    },
  });
}

export const useSaveSiteSettings = () =>
  useSiteSettingsAction((body: SiteSettingsUpdate) =>
    callApi<SiteSettings>('PUT', '/api/admin/settings', { body }),
  );
export const useSaveLogo = () =>
  useSiteSettingsAction((file: Blob) => {
    const form = new FormData();
    form.set('file', file);
    return callApi<SiteSettings>('POST', '/api/admin/settings/logo', { body: form });
  });
export const useRemoveLogo = () =>
  useSiteSettingsAction<void>(() => callApi<SiteSettings>('DELETE', '/api/admin/settings/logo'));

/** Replaces the accent color of the open page as the server does in the next document. */
function showAccentColor(color: string): void {
  const { style } = document.documentElement;
  const { dark } = pageBackgrounds;
  style.setProperty('--accent', color ? `light-dark(${color}, ${lightenForDark(color, dark)})` : '');
  style.setProperty('--on-accent', color ? `light-dark(#fff, ${dark})` : '');
}

interface AdminLists {
  users: AdminUser;
  invites: Invite;
  reports: Report;
  photos: AdminPhoto;
  comments: AdminComment;
  logs: AuditLogEntry;
}

export type AdminListFilter = Record<string, string | number | undefined>;

export const adminListQuery = <Name extends keyof AdminLists>(name: Name, filter: AdminListFilter) =>
  queryOptions({
    queryKey: ['admin', name, filter],
    queryFn: ({ signal }) =>
      callApi<PagedResponse<AdminLists[Name]>>('GET', `/api/admin/${name}`, {
        query: { limit: pageSize, ...filter },
        signal,
      }),
    placeholderData: keepPreviousData,
    staleTime: freshMs,
  });

/** API keys of an account, with their rate limits. */
export const adminKeysQuery = (userId: number) =>
  queryOptions({
    queryKey: ['admin', 'keys', userId],
    queryFn: ({ signal }) =>
      callApi<{ list: AdminApiKey[] }>('GET', `/api/admin/users/${userId}/tokens`, { signal }),
    staleTime: freshMs,
  });

export interface UserChange {
  status?: 0 | 1;
  is_admin?: boolean;
  quota_mb?: number | null;
}

export type ReportHandlingAction = 'dismiss' | 'delete' | 'disable_user';

function useAdminAction<Given, Result>(act: (given: Given) => Promise<Result>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: act,
    // The refetch is not awaited, so a dialog closes as soon as the action is done.
    onSettled: () => void client.invalidateQueries({ queryKey: ['admin'] }),
  });
}

export const useUpdateUser = () =>
  useAdminAction(({ id, change }: { id: number; change: UserChange }) =>
    callApi('PUT', `/api/admin/users/${id}`, { body: change }),
  );
export const useUpdateApiKey = () =>
  useAdminAction(({ id, rate_limit }: { id: number; rate_limit: number | null }) =>
    callApi('PUT', `/api/admin/tokens/${id}`, { body: { rate_limit } }),
  );
export const useEndUserSessions = () =>
  useAdminAction((id: number) => callApi('DELETE', `/api/admin/users/${id}/sessions`));
export const useCreateResetLink = () =>
  useAdminAction((id: number) => callApi<{ url: string }>('POST', `/api/admin/users/${id}/reset-link`));
export const useCreateInvite = () =>
  useAdminAction((invite: NewInvite) =>
    callApi<CreatedInvite>('POST', '/api/admin/invites', { body: invite }),
  );
export const useDeleteAdminItem = (name: 'users' | 'invites' | 'photos' | 'comments') =>
  useAdminAction((id: number) => callApi('DELETE', `/api/admin/${name}/${id}`));

/** Removes all reports of the same thing from the queue at once, so no key can act on a handled report. */
export function useHandleReport() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, action }: { id: number; action: ReportHandlingAction }) =>
      callApi<{ reports: number[] }>('POST', `/api/admin/reports/${id}/handle`, { body: { action } }),
    onSuccess: ({ reports }) =>
      client.setQueriesData<PagedResponse<Report>>(
        { queryKey: ['admin', 'reports'] },
        (page) => page && { ...page, list: page.list.filter(({ id }) => !reports.includes(id)) },
      ),
    onSettled() {
      void client.invalidateQueries({ queryKey: ['admin'] });
      void refetchUser(client, 0);
    },
  });
}
