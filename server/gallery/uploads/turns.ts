/**
 * Of one upload, this process serves one request at a time: a later one ends an earlier one, which is most often that
 * of a connection that is dead. No other process waits for this: see store.ts.
 */
import { within } from '../../platform/concurrency/within.ts';
import { errors } from '../../platform/errors/catalogue.ts';

/** The earlier request stores what it has received, a few megabytes at most. */
const handOverMs = 10_000;

export interface Turn {
  /** From now on a later request is refused: the file is complete and becomes a photo. */
  isFinishing: boolean;
  end(): void;
}

export type Turns = ReturnType<typeof createTurns>;

export function createTurns() {
  const turns = new Map<string, Turn & { stop(): void; ended: Promise<void> }>();
  const locked = () => errors.uploadLocked({ retryAfter: 1 });

  /** Asks an earlier request to end, and waits until it has. Throws uploadLocked when it does not. */
  async function stopOther(id: string): Promise<void> {
    for (let other = turns.get(id); other; other = turns.get(id)) {
      if (other.isFinishing) throw locked();
      other.stop();
      await within(handOverMs, other.ended, locked);
    }
  }

  return {
    stopOther,
    /** `stop`: ends this request soon. Throws uploadLocked. */
    async take(id: string, stop: () => void): Promise<Turn> {
      // Others may have waited for the same one.
      do await stopOther(id);
      while (turns.has(id));
      const { promise, resolve } = Promise.withResolvers<void>();
      const turn = {
        isFinishing: false,
        stop,
        ended: promise,
        end: () => {
          turns.delete(id);
          resolve();
        },
      };
      turns.set(id, turn);
      return turn;
    },
  };
}
