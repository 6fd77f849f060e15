/** Queries and changes of an account's security: password, sessions, passkeys, second factor. */
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { callApi } from '../api/client.ts';
import type { PagedResponse, Passkey, SecondFactorStatus, Session } from '../api/types.ts';
import { createPasskey } from '../auth/passkeys.ts';

export interface PasswordChange {
  old_password: string;
  new_password: string;
  end_keys: boolean;
}

export function useChangePassword() {
  const client = useQueryClient();
  return useMutation({
    /** Resolves with the number of API keys that stay valid. */
    mutationFn: async (given: PasswordChange) => {
      const left = await callApi<{ api_keys: number } | undefined>('PUT', '/api/auth/password', {
        body: given,
      });
      return left?.api_keys ?? 0;
    },
    // A new password ends other sessions; if the user wishes, API keys and passkeys too.
    onSuccess: () => client.invalidateQueries({ queryKey: ['account'] }),
  });
}

/** The API returns at most 100 sessions. */
export const sessionsQuery = queryOptions({
  queryKey: ['account', 'sessions'],
  queryFn: async ({ signal }) =>
    (await callApi<PagedResponse<Session>>('GET', '/api/auth/sessions', { query: { limit: 100 }, signal }))
      .list,
});

/** Ends one session, or all sessions except the current one. */
export function useEndSession() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number | 'others') =>
      callApi<unknown>('DELETE', `/api/auth/sessions${id === 'others' ? '' : `/${id}`}`),
    onSuccess: (_, ended) =>
      client.setQueryData(sessionsQuery.queryKey, (sessions) =>
        sessions?.filter(({ id, is_current }) => (ended === 'others' ? is_current : id !== ended)),
      ),
  });
}

const passkeyPath = '/api/auth/passkeys';

export const passkeysQuery = queryOptions({
  queryKey: ['account', 'passkeys'],
  queryFn: async ({ signal }) => (await callApi<{ list: Passkey[] }>('GET', passkeyPath, { signal })).list,
});

export function useDeletePasskey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => callApi<unknown>('DELETE', `${passkeyPath}/${id}`),
    onSuccess: (_, ended) =>
      client.setQueryData(passkeysQuery.queryKey, (passkeys) => passkeys?.filter(({ id }) => id !== ended)),
  });
}

export const secondFactorPath = '/api/auth/totp';

export const secondFactorQuery = queryOptions({
  queryKey: ['account', 'factor'],
  queryFn: ({ signal }) => callApi<SecondFactorStatus>('GET', secondFactorPath, { signal }),
});

/** Adds a passkey. The password is checked before the browser asks for the device. */
export function useAddPasskey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ name, password }: { name: string; password: string }) => {
      const path = `${passkeyPath}/options`;
      const options = await callApi<PublicKeyCredentialCreationOptionsJSON>('POST', path, {
        body: { password },
      });
      return callApi<Passkey>('POST', passkeyPath, {
        body: { name, response: await createPasskey(options) },
      });
    },
    onSuccess: (made) =>
      client.setQueryData(passkeysQuery.queryKey, (passkeys) => passkeys && [made, ...passkeys]),
  });
}

const oidcPath = '/api/auth/oidc/link';

export const providerLinkQuery = queryOptions({
  queryKey: ['account', 'oidc'],
  queryFn: ({ signal }) => callApi<{ is_linked: boolean }>('GET', oidcPath, { signal }),
});

export const useLinkProvider = () =>
  useMutation({
    mutationFn: (password: string) => callApi<{ url: string }>('POST', oidcPath, { body: { password } }),
    // The browser leaves for the provider and returns from there.
    onSuccess: ({ url }) => location.assign(url),
  });

export function useUnlinkProvider() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (password: string) => callApi<unknown>('DELETE', oidcPath, { body: { password } }),
    onSuccess: () => client.invalidateQueries(providerLinkQuery),
  });
}
