/**
 * How many requests begin in one turn of the event loop. Four hundred of one client that arrive together would all
 * begin in the same turn, a fifth of a millisecond each, and everybody else's answers wait until the last one has.
 * Instead a few begin; the others begin in the turns that follow, one of each address in turn. How few follows from how
 * long turns take: an original that is opened in a store costs ten times what a list does.
 */

/** Some three milliseconds of work, where a request is a row and its answer. */
const mostAtOnce = 16;
/** A turn that took longer was too long for those who wait: fewer begin in the next. */
const longTurnMs = 8;

type Begin = () => void;

export interface Turns {
  /** Calls `begin` now, or in a later turn. */
  enter(address: string, begin: Begin): void;
}

/** `endTurn` is called before each that follows: nobody's answer waits for those who begin then. */
export function createTurns(endTurn: () => void): Turns {
  /** By address, in the order in which they are served: who was served goes to the end. */
  const queues = new Map<string, Begin[]>();
  let atOnce = mostAtOnce;
  let begun = 0;
  let isTurnAhead = false;
  let askedAt = 0;

  function askForTurn(): void {
    if (isTurnAhead) return;
    isTurnAhead = true;
    askedAt = performance.now();
    setImmediate(takeTurn);
  }

  function takeTurn(): void {
    isTurnAhead = false;
    endTurn();
    const isLong = performance.now() - askedAt > longTurnMs;
    atOnce = isLong ? Math.max(1, atOnce >> 1) : Math.min(mostAtOnce, atOnce + 1);
    for (begun = 0; begun < atOnce && queues.size > 0; begun++) beginNext();
    if (begun > 0) askForTurn();
  }

  function beginNext(): void {
    const [[address, queue]] = queues as unknown as [[string, Begin[]]];
    queues.delete(address);
    const begin = queue.shift()!;
    if (queue.length > 0) queues.set(address, queue);
    begin();
  }

  return {
    enter(address, begin) {
      askForTurn();
      if (queues.size === 0 && begun < atOnce) {
        begun++;
        return begin();
      }
      const queue = queues.get(address);
      if (queue) queue.push(begin);
      else queues.set(address, [begin]);
    },
  };
}
