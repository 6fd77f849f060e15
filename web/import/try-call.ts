/** Repeats calls of an import that may fail for a while. */
import { toUploadFault } from '../upload/faults.ts';
import type { ImportGate } from './gate.ts';

/** The tries of a call to a gallery that is away take about three minutes. */
const maxTries = 9;
const maxFailures = 3;
const maxBackoffMs = 30_000;

/**
 * Makes a call, and repeats the call while the gallery is away or limits calls, which pauses the import. A call that
 * the gallery refuses, or that fails three times, is left out.
 */
export async function tryCall(work: () => Promise<unknown>, gate: ImportGate): Promise<void> {
  let failures = 0;
  for (let tries = 1; tries <= maxTries; tries++) {
    await gate.pass();
    try {
      await work();
      return;
    } catch (error) {
      const { kind } = toUploadFault(error);
      if (kind === 'unreachable' || kind === 'rest')
        gate.close(kind, Math.min(maxBackoffMs, 1000 * 2 ** tries));
      else if (kind !== 'again' || ++failures >= maxFailures) return;
      else await new Promise((resolve) => setTimeout(resolve, 1000 * failures));
      if (gate.isReleased()) return;
    }
  }
}
