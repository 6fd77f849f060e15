/** How fast bytes go, over the last seconds. */
const windowMs = 20_000;
const minMs = 2000;

export function createSpeedometer(now = () => performance.now()) {
  let marks: { at: number; bytes: number }[] = [];
  return {
    /** `bytes`: of all that were sent so far. */
    note(bytes: number): void {
      const at = now();
      marks = [...marks.filter((mark) => at - mark.at < windowMs), { at, bytes }];
    },
    /** After a pause, what was before it means nothing. */
    reset(): void {
      marks = [];
    },
    /** Undefined as long as little is known. */
    secondsFor(bytes: number): number | undefined {
      const [first, last] = [marks[0], marks.at(-1)];
      if (!first || !last || last.at - first.at < minMs || last.bytes <= first.bytes) return undefined;
      return (bytes * (last.at - first.at)) / (last.bytes - first.bytes) / 1000;
    },
  };
}
