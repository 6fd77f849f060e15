/**
 * Deletes marked accounts in the background, and hides or shows what disabled and enabled ones hold, soon after they
 * were marked or the server started.
 */
import type { Deps } from '../../../deps.ts';
import { createJob, type Job } from '../../../platform/concurrency/job.ts';
import { moveLibraries } from '../../library/account-moves.ts';
import { eraseLeaving } from './erase.ts';

export function createEraser(deps: Deps): Job {
  return createJob({
    async run(stop) {
      await moveLibraries(deps, stop);
      await eraseLeaving(deps, stop);
    },
    onError: (error) => deps.log.warn({ err: error }, 'accounts wait to be deleted, hidden or shown'),
  });
}
