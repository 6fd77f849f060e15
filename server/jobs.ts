/** All background work of a server process. A signal of the database wakes what waits for a row (`db.signal`). */
import type { Deps } from './deps.ts';
import { composeMail } from './gallery/accounts/recovery/compose.ts';
import { startErasing } from './gallery/admin/erase/erase.ts';
import { startRecording } from './gallery/identity/attempts/recorder.ts';
import { startVisibilityJobs } from './gallery/library/run-visibility-jobs.ts';
import { startMailing } from './gallery/mail/dispatcher.ts';
import { startDispatcher } from './gallery/webhooks/dispatcher.ts';
import { startSweep } from './tools/upkeep/sweep.ts';

/** Each job starts at once. It returns a function that stops it and resolves when the work under way has ended. */
const jobs = {
  visibility: startVisibilityJobs,
  erasure: startErasing,
  // With the statistics of the database.
  upkeep: startSweep,
  webhooks: startDispatcher,
  mail: (deps: Deps) => startMailing(deps, composeMail),
};

export type JobName = keyof typeof jobs;

/**
 * Starts the jobs in their order. The function that it returns stops them together. `requests` resolves when the last
 * request has ended; then the attempts that requests made are written. Closing the database writes counted views.
 */
export function startJobs(deps: Deps, names = Object.keys(jobs) as JobName[]) {
  const stopRecording = startRecording(deps);
  const stops = names.map((name) => jobs[name](deps));
  return async (requests: Promise<unknown>): Promise<void> => {
    const stopped = Promise.all(stops.map((stop) => stop()));
    await requests;
    await stopRecording();
    await stopped;
  };
}
