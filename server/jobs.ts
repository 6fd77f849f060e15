/** Background jobs of a server process. A database signal (`db.signal`) wakes the jobs that wait for new rows. */
import type { Deps } from './deps.ts';
import { composeAccountMail } from './gallery/accounts/recovery/compose.ts';
import { startErasingAccounts } from './gallery/admin/erase/erase.ts';
import { startAttemptRecorder } from './gallery/identity/attempts/recorder.ts';
import { startSearchTexts } from './gallery/library/run-search-texts.ts';
import { startVisibilityJobs } from './gallery/library/run-visibility-jobs.ts';
import { startMailing } from './gallery/mail/dispatcher.ts';
import { startRereading } from './gallery/photos/reread/run.ts';
import { startWebhookDispatcher } from './gallery/webhooks/dispatcher.ts';
import { startMaintenance } from './tools/maintenance/maintenance.ts';

/**
 * Start functions of the jobs. Each starts its job at once and returns a function that stops the job. The stop function
 * resolves when the current run has ended.
 */
const starterByJobName = {
  visibility: startVisibilityJobs,
  searchTexts: startSearchTexts,
  erasure: startErasingAccounts,
  // The maintenance run also updates the database statistics.
  maintenance: startMaintenance,
  webhooks: startWebhookDispatcher,
  rereading: startRereading,
  mail: (deps: Deps) => startMailing(deps, composeAccountMail),
};

export type BackgroundJobName = keyof typeof starterByJobName;

/**
 * Starts the named jobs in order and returns a function that stops all of them. The stop function waits for `requests`,
 * which resolves after the last request, and then writes the recorded attempts. Counted views are written when the
 * database is closed.
 */
export function startBackgroundJobs(
  deps: Deps,
  names = Object.keys(starterByJobName) as BackgroundJobName[],
) {
  const stopRecording = startAttemptRecorder(deps);
  const stops = names.map((name) => starterByJobName[name](deps));
  return async (requests: Promise<unknown>): Promise<void> => {
    const stopped = Promise.all(stops.map((stop) => stop()));
    await requests;
    await stopRecording();
    await stopped;
  };
}
