/** Repeats calls of an import that may fail for a moment. */

const maxTries = 3;

/** `pass` resolves when the import is not paused. A call that fails three times is left out. */
export async function tryThreeTimes(work: () => Promise<unknown>, pass: () => Promise<void>): Promise<void> {
  for (let tries = 1; tries <= maxTries; tries++) {
    await pass();
    try {
      await work();
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 1000 * tries));
    }
  }
}
