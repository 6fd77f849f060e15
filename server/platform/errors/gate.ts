/**
 * Limits concurrent calls, in total and per caller. A call that exceeds a limit is refused immediately, without a
 * queue.
 */
export interface ConcurrencyGate {
  /**
   * Counts a call and returns the function that ends it, to be called once. Throws when the gate is full in total or
   * for this caller.
   */
  acquire(caller?: string): () => void;
}

interface GateOptions {
  max: number;
  maxPerCaller?: number;
  /** Calls in total below which one caller may exceed `maxPerCaller`. */
  crowdedAt?: number;
  /** Creates the error for a refused call. `isOwn` means that only this caller has reached the limit. */
  refuse(isOwn: boolean): Error;
}

export function createConcurrencyGate({
  max,
  maxPerCaller = max,
  crowdedAt = 0,
  refuse,
}: GateOptions): ConcurrencyGate {
  let all = 0;
  const inside = new Map<string, number>();
  return {
    acquire(caller = '') {
      const own = inside.get(caller) ?? 0;
      const hasEnough = own >= maxPerCaller && all >= crowdedAt;
      if (hasEnough || all >= max) throw refuse(hasEnough);
      all++;
      inside.set(caller, own + 1);
      return () => {
        all--;
        const left = inside.get(caller)! - 1;
        if (left > 0) inside.set(caller, left);
        else inside.delete(caller);
      };
    },
  };
}
