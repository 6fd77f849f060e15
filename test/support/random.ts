/** Repeatable random numbers: the same seed gives the same requests. */

export interface Random {
  /** Returns a number from 0 up to, but not including, 1. */
  next(): number;
  /** Returns an integer from 0 up to, but not including, `end`. */
  below(end: number): number;
  chance(share: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
}

/** Creates a Mulberry32 generator: https://gist.github.com/tommyettinger/46a874533244883189143505d203312c */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const nextFraction = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const nextBelow = (end: number) => Math.floor(nextFraction() * end);
  return {
    next: nextFraction,
    below: nextBelow,
    chance: (share) => nextFraction() < share,
    pick: (items) => items[nextBelow(items.length)]!,
  };
}
