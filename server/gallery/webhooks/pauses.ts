/** How long until the next attempt. */

/** Seconds after the first attempt that failed, the second, and so on; the last one is repeated. */
const pauses = [5, 30, 120, 600, 1800, 3600, 7200, 14_400, 28_800];

/** Several deliveries that fail one after the other are about the target, not about them: all of them wait. */
const failuresBeforePause = 4;
const longestTargetPause = 3600;

/** Up to a fifth more: those that failed together do not come back together. */
const spread = 0.2;

/** `attempts`: those made, at least one. */
export function pauseAfter(attempts: number, random = Math.random): number {
  const pause = pauses[Math.min(attempts, pauses.length) - 1]!;
  return Math.ceil(pause * (1 + spread * random()));
}

/** `failures`: of the target, in a row. 0: other deliveries to it do not wait. */
export function targetPauseAfter(failures: number, random = Math.random): number {
  if (failures < failuresBeforePause) return 0;
  return Math.min(pauseAfter(failures - failuresBeforePause + 1, random), longestTargetPause);
}
