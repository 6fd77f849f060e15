/** Changes of the user's profile, avatar and email address, and account deletion. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { callApi } from '../api/client.ts';
import type { CurrentUser, ProfileUpdate } from '../api/types.ts';
import { userQuery } from '../auth/queries.ts';

/** Marks all cached data that shows the user as stale. */
function useInvalidateProfile() {
  const client = useQueryClient();
  return async (patch: Partial<CurrentUser>) => {
    client.setQueryData(userQuery.queryKey, (user) => user && { ...user, ...patch });
    await client.invalidateQueries({ queryKey: ['people'], refetchType: 'none' });
  };
}

export function useSaveProfile() {
  const saved = useInvalidateProfile();
  return useMutation({
    mutationFn: (profile: ProfileUpdate) => callApi<unknown>('PUT', '/api/auth/profile', { body: profile }),
    onSuccess: (_, profile) => saved(profile as Partial<CurrentUser>),
  });
}

export function useSaveAvatar() {
  const saved = useInvalidateProfile();
  return useMutation({
    mutationFn: (file: Blob) => {
      const form = new FormData();
      form.set('file', file);
      return callApi<{ avatar: string }>('POST', '/api/auth/avatar', { body: form });
    },
    onSuccess: ({ avatar }) => saved({ avatar }),
  });
}

export function useRemoveAvatar() {
  const saved = useInvalidateProfile();
  return useMutation({
    mutationFn: () => callApi<unknown>('DELETE', '/api/auth/avatar'),
    onSuccess: () => saved({ avatar: '' }),
  });
}

/**
 * Requests a new email address. Resolves with the current address, which changes only after confirmation by
 * link.
 */
export function useChangeEmail() {
  const saved = useInvalidateProfile();
  return useMutation({
    mutationFn: (given: { email: string; password: string }) =>
      callApi<{ email: string }>('PUT', '/api/auth/email', { body: given }),
    onSuccess: ({ email }) => saved({ email }),
  });
}

export const useDeleteAccount = () =>
  useMutation({
    mutationFn: (body: { password?: string; username?: string }) =>
      callApi<unknown>('DELETE', '/api/auth/user', { body }),
    // A full page load removes all data of the deleted account from memory.
    onSuccess: () => location.assign('/'),
  });
