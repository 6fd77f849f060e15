/**
 * Limits how many calls run at once, of all and of one caller. A call that comes when the gate is full is refused at
 * once; there is no queue.
 */
export interface Gate {
  /** Returns the function that leaves again, to be called once. Throws when it is full, or full for this caller. */
  enter(caller?: string): () => void;
}

interface GateOptions {
  max: number;
  maxPerCaller?: number;
  /** `isOwn`: the gate is full for this caller only. */
  refuse(isOwn: boolean): Error;
}

export function createGate({ max, maxPerCaller = max, refuse }: GateOptions): Gate {
  let all = 0;
  const inside = new Map<string, number>();
  return {
    enter(caller = '') {
      const own = inside.get(caller) ?? 0;
      if (own >= maxPerCaller || all >= max) throw refuse(own >= maxPerCaller);
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
