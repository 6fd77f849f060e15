/** Measures the upload speed over the last seconds. */
const windowMs = 20_000;
const minMs = 2000;

export function createSpeedometer(now = () => performance.now()) {
  let marks: { at: number; bytes: number }[] = [];
  return {
    /** Records progress; `bytes` is the total sent so far. */
    note(bytes: number): void {
      const at = now();
      marks = [...marks.filter((mark) => at - mark.at < windowMs), { at, bytes }];
    },
    /** Discards earlier measurements after a pause. */
    reset(): void {
      marks = [];
    },
    /** Returns the seconds needed to send `bytes`, or undefined while too little is known. */
    secondsFor(bytes: number): number | undefined {
      const [first, last] = [marks[0], marks.at(-1)];
      if (!first || !last || last.at - first.at < minMs || last.bytes <= first.bytes) return undefined;
      return (bytes * (last.at - first.at)) / (last.bytes - first.bytes) / 1000;
    },
  };
}
