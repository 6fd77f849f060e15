/**
 * Deletes marked accounts in the background, and hides or shows what disabled and enabled ones hold, soon after they
 * were marked or the server started.
 */
import type { Deps } from '../../../deps.ts';
import { moveLibraries } from '../../library/account-moves.ts';
import { eraseLeaving } from './erase.ts';

export interface Eraser {
  /** Starts unless it is at work; returns at once. */
  start(): void;
  /** Resolves when it rests, after the batch at hand. What is left is taken up at the next start. */
  stop(): Promise<void>;
}

export function createEraser(deps: Deps): Eraser {
  const stopping = new AbortController();
  let working: Promise<void> | undefined;
  let isAsked = false;

  async function work(): Promise<void> {
    while (isAsked && !stopping.signal.aborted) {
      isAsked = false;
      await moveLibraries(deps, stopping.signal);
      await eraseLeaving(deps, stopping.signal);
    }
  }

  return {
    start() {
      isAsked = true;
      working ??= work()
        .catch((error: unknown) =>
          deps.log.warn({ err: error }, 'accounts wait to be deleted, hidden or shown'),
        )
        .finally(() => {
          working = undefined;
        });
    },
    async stop() {
      stopping.abort();
      await working;
    },
  };
}
