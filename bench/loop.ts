/**
 * Loaded into a server by `--import`, prints how long its main thread was busy without a pause. The figure is
 * CPU time between two event-loop ticks, so time without a CPU core does not count.
 */
import { openSync, readSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const everyMs = 10;

if (isMainThread) {
  const file = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r');
  const buffer = Buffer.alloc(100);
  const workedMs = () => {
    const length = readSync(file, buffer, 0, buffer.length, 0);
    return Number(buffer.toString('latin1', 0, length).split(' ')[0]) / 1e6;
  };
  let before = workedMs();
  setInterval(() => {
    const now = workedMs();
    if (now - before > 15) process.stderr.write(`worked for ${Math.round(now - before)} ms\n`);
    before = workedMs();
  }, everyMs).unref();
}
