/** Limits how many calls run at once. A call that comes when the gate is full is refused at once; there is no queue. */

export interface Gate {
  /** Returns the function that leaves again. Throws when it is full. */
  enter(): () => void;
}

export function createGate(max: number, refuse: () => Error): Gate {
  let inside = 0;
  return {
    enter() {
      if (inside >= max) throw refuse();
      inside++;
      return () => {
        inside--;
      };
    },
  };
}

/** A gate where each caller has at most a share of the places, so that one caller cannot take them all. */
export interface SharedGate {
  /** Returns the function that leaves again, to be called once. Throws when it is full, or full for this caller. */
  enter(caller: string): () => void;
}

interface SharedGateOptions {
  max: number;
  maxPerCaller: number;
  refuse(): Error;
}

export function createSharedGate({ max, maxPerCaller, refuse }: SharedGateOptions): SharedGate {
  const gate = createGate(max, refuse);
  const inside = new Map<string, number>();
  return {
    enter(caller) {
      const own = inside.get(caller) ?? 0;
      if (own >= maxPerCaller) throw refuse();
      const leave = gate.enter();
      inside.set(caller, own + 1);
      return () => {
        leave();
        const left = inside.get(caller)! - 1;
        if (left > 0) inside.set(caller, left);
        else inside.delete(caller);
      };
    },
  };
}
