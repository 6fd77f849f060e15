/** When V8 collects garbage. */
import { setFlagsFromString } from 'node:v8';

const flag = '--heap-growing-percent';

/**
 * Once the heap is twice what was alive after the last time. V8 takes a factor from how fast a program allocates, and
 * one that receives photos allocates little: then it collects whenever eight megabytes have come, received bytes
 * included, which is every second photo (ADR 48).
 */
export function collectLater() {
  // Whoever starts node with it has chosen.
  if (process.execArgv.some((given) => given.startsWith(flag))) return;
  setFlagsFromString(`${flag}=100`);
}
