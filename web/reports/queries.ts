/** Sends a report about unwanted content to the admins. */
import { useMutation } from '@tanstack/react-query';
import { callApi } from '../api/client.ts';
import type { NewReport } from '../api/types.ts';

export function useSendReport() {
  return useMutation({ mutationFn: (body: NewReport) => callApi<unknown>('POST', '/api/reports', { body }) });
}
