/** A bound on how many may do something at once; whoever comes when it is full is refused, not kept waiting. */

export interface Gate {
  /** Returns the function that leaves again. Throws when it is full. */
  enter(): () => void;
}

export function createGate(most: number, refuse: () => Error): Gate {
  let inside = 0;
  return {
    enter() {
      if (inside >= most) throw refuse();
      inside++;
      return () => {
        inside--;
      };
    },
  };
}
