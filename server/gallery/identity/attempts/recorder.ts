/**
 * Counts attempts in memory and writes the counts in the background, so that many attempts cost few statements (ADR
 * 44).
 */
import type { Deps } from '../../../deps.ts';
import { createBackgroundJob } from '../../../platform/concurrency/job.ts';
import {
  type AuditedAttempt,
  addAttemptCounts,
  type CountedAttempt,
  createWriteAuditAttempts,
} from './store.ts';

/** Maximum number of audit rows that one statement writes. */
const batchSize = 200;
/** Maximum number of attempt counts in memory. Beyond the limit, attempts are counted without their accounts. */
const maxWaiting = 2000;
/**
 * Maximum number of counts by typed email address, a part of `maxWaiting`. Made-up addresses therefore cannot
 * displace the counts of accounts.
 */
const maxEmails = 1000;
const everyMs = 1000;
const retryMs = 5000;

const attemptMade = 'attempt';

/** Counts an attempt for the audit log. The recorder must be running, or the attempt is lost. */
export function recordAuditAttempt({ db }: Pick<Deps, 'db'>, attempt: AuditedAttempt): void {
  db.events.emit(attemptMade, attempt);
}

/** Starts recording attempts and returns a function that stops the recording and writes the pending counts. */
export function startAttemptRecorder(deps: Deps): () => Promise<void> {
  const { record, stop } = createAttemptRecorder(deps);
  deps.db.events.on(attemptMade, record);
  return () => {
    deps.db.events.off(attemptMade, record);
    return stop();
  };
}

export function createAttemptRecorder(deps: Deps) {
  const write = createWriteAuditAttempts(deps);
  const waiting = new Map<string, CountedAttempt>();
  const job = createBackgroundJob({
    run: flush,
    onError: (error) =>
      deps.log.warn({ err: error }, 'sign-in attempts could not be written to the audit log yet'),
    everyMs,
    retryMs,
  });
  job.startIn(everyMs);

  function add(counted: CountedAttempt): void {
    const { hour, action, outcome, reason, account, owner, email } = counted;
    const key = JSON.stringify([hour, action, outcome, reason, account, owner, email]);
    const before = waiting.get(key);
    if (before) waiting.set(key, addAttemptCounts(before, counted));
    else if (hasRoom(counted)) waiting.set(key, counted);
    else add({ ...counted, account: undefined, email: '' });
  }

  /**
   * Returns whether memory has room for a count by account. Counts without an account always have room, because
   * actions and reasons are few.
   */
  function hasRoom({ account, email }: AuditedAttempt): boolean {
    if (account === undefined && email === '') return true;
    return waiting.size < (account === undefined ? maxEmails : maxWaiting);
  }

  async function flush(): Promise<void> {
    for (let batches = Math.ceil(waiting.size / batchSize); batches > 0; batches--) {
      const batch = [...waiting].slice(0, batchSize);
      for (const [key] of batch) waiting.delete(key);
      const attempts = batch.map(([, counted]) => counted);
      try {
        await write(attempts);
      } catch (error) {
        for (const counted of attempts) add(counted);
        throw error;
      }
    }
  }

  return {
    record(attempt: AuditedAttempt): void {
      const now = deps.clock();
      add({ ...attempt, count: 1, create_time: now, last_time: now, hour: Math.floor(now / 3600) });
    },
    /** Stops the recorder's job and writes the pending counts. */
    async stop(): Promise<void> {
      await job.stop();
      await flush().catch((error: unknown) =>
        deps.log.warn({ err: error }, 'sign-in attempts are missing in the audit log'),
      );
    },
  };
}
