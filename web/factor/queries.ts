/** Calls that start, confirm and remove the second factor, and renew recovery codes. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { callApi } from '../api/client.ts';
import type { NewSecondFactor } from '../api/types.ts';
import { secondFactorPath, secondFactorQuery } from '../security/queries.ts';

export const useStartSecondFactor = () =>
  useMutation({
    mutationFn: (password: string) =>
      callApi<NewSecondFactor>('POST', secondFactorPath, { body: { password } }),
    // The secret of the second factor is never cached.
    gcTime: 0,
  });

/**
 * Calls `onCodes` even after the form is unmounted: the page shows another form when the factor becomes
 * active.
 */
export function useConfirmSecondFactor(onCodes: (codes: string[]) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (code: string) =>
      callApi<{ recovery_codes: string[] }>('POST', `${secondFactorPath}/confirm`, { body: { code } }),
    gcTime: 0,
    onSuccess: ({ recovery_codes }) => {
      onCodes(recovery_codes);
      return client.invalidateQueries(secondFactorQuery);
    },
  });
}

export function useReplaceRecoveryCodes(onCodes: (codes: string[]) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (password: string) =>
      callApi<{ recovery_codes: string[] }>('POST', `${secondFactorPath}/recovery-codes`, {
        body: { password },
      }),
    gcTime: 0,
    onSuccess: ({ recovery_codes }) => {
      onCodes(recovery_codes);
      return client.invalidateQueries(secondFactorQuery);
    },
  });
}

export function useRemoveSecondFactor(onEnd: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (password: string) => callApi<unknown>('DELETE', secondFactorPath, { body: { password } }),
    onSuccess: () => {
      onEnd();
      return client.invalidateQueries(secondFactorQuery);
    },
  });
}
