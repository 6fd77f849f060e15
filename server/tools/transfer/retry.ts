/** A storage that was out of reach for a moment does not end the work of hours. */
import { retry } from '../../platform/concurrency/retry.ts';

/** Pauses before each further attempt: half a minute altogether. */
const pausesMs = [500, 2000, 7000, 20_000];

/** `work` must be able to run twice. Throws its last error. */
export function withRetries<Result>(work: () => Promise<Result>): Promise<Result> {
  return retry(work, (error, failures) => (mayPass(error) ? pausesMs[failures - 1] : undefined));
}

/** What the storage drivers call busy, and what a network does. */
function mayPass(error: unknown): boolean {
  const { status, code } = error as { status?: number; code?: unknown };
  return status === 503 || (typeof code === 'string' && /^(ECONN|ETIMEDOUT|EPIPE|EAI_AGAIN)/.test(code));
}
