/** Calls that start, confirm and remove the second factor, and renew recovery codes. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { callApi } from '../api/client.ts';
import type { NewFactor } from '../api/types.ts';
import { factorPath, factorQuery } from '../security/queries.ts';

export const useStartFactor = () =>
  useMutation({
    mutationFn: (password: string) => callApi<NewFactor>('POST', factorPath, { body: { password } }),
    // The secret of the second factor is never cached.
    gcTime: 0,
  });

/**
 * Calls `onCodes` even after the form is unmounted: the page shows another form when the factor becomes
 * active.
 */
export function useConfirmFactor(onCodes: (codes: string[]) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (code: string) =>
      callApi<{ recovery_codes: string[] }>('POST', `${factorPath}/confirm`, { body: { code } }),
    gcTime: 0,
    onSuccess: ({ recovery_codes }) => {
      onCodes(recovery_codes);
      return client.invalidateQueries(factorQuery);
    },
  });
}

export function useReplaceRecoveryCodes(onCodes: (codes: string[]) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (password: string) =>
      callApi<{ recovery_codes: string[] }>('POST', `${factorPath}/recovery-codes`, { body: { password } }),
    gcTime: 0,
    onSuccess: ({ recovery_codes }) => {
      onCodes(recovery_codes);
      return client.invalidateQueries(factorQuery);
    },
  });
}

export function useRemoveFactor(onEnd: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (password: string) => callApi<unknown>('DELETE', factorPath, { body: { password } }),
    onSuccess: () => {
      onEnd();
      return client.invalidateQueries(factorQuery);
    },
  });
}
