/** Memory that only the start needed. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collect = (options: { type: 'major'; flavor: 'last-resort'; execution: 'async' }) => Promise<void>;

/** Long enough for the first requests of clients that waited for the start. */
const quietMs = 1000;

/**
 * Loading and compiling modules leaves some thirty megabytes behind, which V8 would keep until there is pressure.
 * Released once, soon after the start; the pause is that of one full collection of a small heap.
 */
export function releaseStartMemory(): void {
  setTimeout(async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as Collect;
    await collect({ type: 'major', flavor: 'last-resort', execution: 'async' });
    setFlagsFromString('--no-expose-gc');
  }, quietMs).unref();
}
