/** Tells the admins of something that should not be here. */
import { useMutation } from '@tanstack/react-query';
import { callApi } from '../api/client.ts';
import type { NewReport } from '../api/types.ts';

export function useReport() {
  return useMutation({ mutationFn: (body: NewReport) => callApi<unknown>('POST', '/api/reports', { body }) });
}
