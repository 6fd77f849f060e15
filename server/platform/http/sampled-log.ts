/**
 * Log of failures that many requests share, such as an unreachable database. The first failure of a cause is logged
 * with its stack. Further failures of the cause are counted, with one line per period.
 */
import type { FastifyBaseLogger } from 'fastify';

const defaultPeriodMs = 30_000;
/** Maximum causes that are counted at once. Failures of further causes are logged one by one. */
const maxCauses = 100;

export interface SampledLog {
  /** Logs the failure at `level` to the request's log, unless the period has a failure of the same cause. */
  write(log: FastifyBaseLogger, level: 'warn' | 'error', error: unknown, message: string): void;
}

export function createSampledLog(
  gallery: Pick<FastifyBaseLogger, 'warn'>,
  periodMs = defaultPeriodMs,
): SampledLog {
  const repeats = new Map<string, number>();

  function endPeriod(cause: string): void {
    const count = repeats.get(cause)!;
    repeats.delete(cause);
    if (count === 0) return;
    gallery.warn({ cause, count, seconds: periodMs / 1000 }, 'more requests failed for the same reason');
    beginPeriod(cause);
  }

  function beginPeriod(cause: string): void {
    repeats.set(cause, 0);
    setTimeout(endPeriod, periodMs, cause).unref();
  }

  return {
    write(log, level, error, message) {
      const cause = describeCause(error);
      const count = repeats.get(cause);
      if (count !== undefined) {
        repeats.set(cause, count + 1);
        return;
      }
      log[level]({ err: error }, message);
      if (repeats.size < maxCauses) beginPeriod(cause);
    },
  };
}

/** Returns the innermost error as a text without digits, because ports and ids differ between requests. */
function describeCause(error: unknown): string {
  let inner = error;
  while (inner instanceof Error && inner.cause !== undefined) inner = inner.cause;
  const text = inner instanceof Error ? `${inner.name}: ${inner.message}` : String(inner);
  return text.slice(0, 200).replaceAll(/\d+/g, '…');
}
