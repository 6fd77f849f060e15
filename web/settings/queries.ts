/** One's account: profile, picture, password, where one is signed in, keys for programs. */
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import type {
  ApiKey,
  CurrentUser,
  Factor,
  NewApiKey,
  NewFactor,
  Paged,
  Passkey,
  Profile,
  Session,
} from '../api/types.ts';
import { makePasskey } from '../auth/passkeys.ts';
import { userQuery } from '../auth/queries.ts';

/** What the pages show of a person is old now. */
function useSaved() {
  const client = useQueryClient();
  return async (patch: Partial<CurrentUser>) => {
    client.setQueryData(userQuery.queryKey, (user) => user && { ...user, ...patch });
    await client.invalidateQueries({ queryKey: ['people'], refetchType: 'none' });
  };
}

export function useSaveProfile() {
  const saved = useSaved();
  return useMutation({
    mutationFn: (profile: Profile) => call<unknown>('PUT', '/api/auth/profile', { body: profile }),
    onSuccess: (_, profile) => saved(profile as Partial<CurrentUser>),
  });
}

export function useSaveAvatar() {
  const saved = useSaved();
  return useMutation({
    mutationFn: (file: Blob) => {
      const form = new FormData();
      form.set('file', file);
      return call<{ avatar: string }>('POST', '/api/auth/avatar', { body: form });
    },
    onSuccess: ({ avatar }) => saved({ avatar }),
  });
}

export function useRemoveAvatar() {
  const saved = useSaved();
  return useMutation({
    mutationFn: () => call<unknown>('DELETE', '/api/auth/avatar'),
    onSuccess: () => saved({ avatar: '' }),
  });
}

export interface NewPassword {
  old_password: string;
  new_password: string;
  end_keys: boolean;
}

export function useChangePassword() {
  const client = useQueryClient();
  return useMutation({
    /** How many keys stay valid. */
    mutationFn: async (given: NewPassword) => {
      const left = await call<{ api_keys: number } | undefined>('PUT', '/api/auth/password', { body: given });
      return left?.api_keys ?? 0;
    },
    onSuccess: () => Promise.all([renew(client, sessionsQuery), renew(client, keysQuery)]),
  });
}

const renew = (client: QueryClient, { queryKey }: { queryKey: readonly unknown[] }) =>
  client.invalidateQueries({ queryKey });

/** A hundred at most. */
export const sessionsQuery = queryOptions({
  queryKey: ['account', 'sessions'],
  queryFn: async ({ signal }) =>
    (await call<Paged<Session>>('GET', '/api/auth/sessions', { query: { limit: 100 }, signal })).list,
});

/** One of them, or all but this one. */
export function useEndSession() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number | 'others') =>
      call<unknown>('DELETE', `/api/auth/sessions${id === 'others' ? '' : `/${id}`}`),
    onSuccess: (_, ended) =>
      client.setQueryData(sessionsQuery.queryKey, (sessions) =>
        sessions?.filter(({ id, is_current }) => (ended === 'others' ? is_current : id !== ended)),
      ),
  });
}

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

const passkeyPath = '/api/auth/passkeys';

export const passkeysQuery = queryOptions({
  queryKey: ['account', 'passkeys'],
  queryFn: async ({ signal }) => (await call<{ list: Passkey[] }>('GET', passkeyPath, { signal })).list,
});

/** The password is asked for before the device is. */
export function useAddPasskey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ name, password }: { name: string; password: string }) => {
      const path = `${passkeyPath}/options`;
      const options = await call<PublicKeyCredentialCreationOptionsJSON>('POST', path, {
        body: { password },
      });
      return call<Passkey>('POST', passkeyPath, { body: { name, response: await makePasskey(options) } });
    },
    onSuccess: (made) =>
      client.setQueryData(passkeysQuery.queryKey, (passkeys) => passkeys && [made, ...passkeys]),
  });
}

export function useDeletePasskey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => call<unknown>('DELETE', `${passkeyPath}/${id}`),
    onSuccess: (_, ended) =>
      client.setQueryData(passkeysQuery.queryKey, (passkeys) => passkeys?.filter(({ id }) => id !== ended)),
  });
}

/** Answers the address that the account has now: where a link was sent, still the one before. */
export function useChangeEmail() {
  const saved = useSaved();
  return useMutation({
    mutationFn: (given: { email: string; password: string }) =>
      call<{ email: string }>('PUT', '/api/auth/email', { body: given }),
    onSuccess: ({ email }) => saved({ email }),
  });
}

export const useLeave = () =>
  useMutation({
    mutationFn: (password: string) => call<unknown>('DELETE', '/api/auth/user', { body: { password } }),
    // Nothing of the person who left stays in the page's memory.
    onSuccess: () => location.assign('/'),
  });

const factorPath = '/api/auth/totp';

export const factorQuery = queryOptions({
  queryKey: ['account', 'factor'],
  queryFn: ({ signal }) => call<Factor>('GET', factorPath, { signal }),
});

export const useBeginFactor = () =>
  useMutation({
    mutationFn: (password: string) => call<NewFactor>('POST', factorPath, { body: { password } }),
    // The secret is in nothing that is kept.
    gcTime: 0,
  });

/** `onCodes` is called even where what asked is gone by then: a factor that is on has another look. */
export function useConfirmFactor(onCodes: (codes: string[]) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (code: string) =>
      call<{ recovery_codes: string[] }>('POST', `${factorPath}/confirm`, { body: { code } }),
    gcTime: 0,
    onSuccess: ({ recovery_codes }) => {
      onCodes(recovery_codes);
      return renew(client, factorQuery);
    },
  });
}

export function useRenewCodes(onCodes: (codes: string[]) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (password: string) =>
      call<{ recovery_codes: string[] }>('POST', `${factorPath}/recovery-codes`, { body: { password } }),
    gcTime: 0,
    onSuccess: ({ recovery_codes }) => {
      onCodes(recovery_codes);
      return renew(client, factorQuery);
    },
  });
}

export function useEndFactor(onEnd: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (password: string) => call<unknown>('DELETE', factorPath, { body: { password } }),
    onSuccess: () => {
      onEnd();
      return renew(client, factorQuery);
    },
  });
}

const oidcPath = '/api/auth/oidc/link';

export const oidcQuery = queryOptions({
  queryKey: ['account', 'oidc'],
  queryFn: ({ signal }) => call<{ is_linked: boolean }>('GET', oidcPath, { signal }),
});

export const useConnect = () =>
  useMutation({
    mutationFn: (password: string) => call<{ url: string }>('POST', oidcPath, { body: { password } }),
    // To the provider, and back from there.
    onSuccess: ({ url }) => location.assign(url),
  });

export function useDisconnect() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (password: string) => call<unknown>('DELETE', oidcPath, { body: { password } }),
    onSuccess: () => renew(client, oidcQuery),
  });
}
