/** Tells the admins of something that should not be here. */
import { useMutation } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import type { NewReport } from '../api/types.ts';

export function useReport() {
  return useMutation({ mutationFn: (body: NewReport) => call<unknown>('POST', '/api/reports', { body }) });
}
