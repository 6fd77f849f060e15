/** Prints figures beside their limits and marks those over the limit, which make `npm run bench` fail. */
const missed: string[] = [];

/** Reports a figure. `slowness` stretches a limit of time, as pace.ts measures it. */
export function report(name: string, value: number, unit: string, limit?: number, slowness = 1): void {
  // NaN counts as over every limit, because the measurement failed.
  const isOver = limit !== undefined && !(value <= limit * slowness);
  const shown = `${value < 10 ? value.toFixed(2) : value.toFixed(0)} ${unit}`;
  const beside = limit === undefined ? '' : ` (limit ${round(limit)}${describePace(limit, slowness)})`;
  console.log(`${name}: ${shown}${beside}${isOver ? '  OVER ITS LIMIT' : ''}`);
  if (isOver) missed.push(`${name}: ${shown}${beside}`);
}

function describePace(limit: number, slowness: number): string {
  return slowness === 1 ? '' : `, ${round(limit * slowness)} on a machine ${round(slowness)} times as slow`;
}

const round = (value: number) => Number(value.toFixed(2));

/** Runs a part of the bench. A failure is reported at the end and does not stop the other parts. */
export async function attempt(name: string, part: () => Promise<void>): Promise<void> {
  try {
    await part();
  } catch (error) {
    console.error(error);
    missed.push(`${name}: not measured: ${error instanceof Error ? error.message : error}`);
  }
}

/** Prints all missed limits at the end of a run. */
export function reportMissed(): void {
  if (missed.length === 0) {
    console.log('\nevery figure is within its limit');
    return;
  }
  console.log(`\nover their limits, or not measured:\n${missed.map((line) => `  ${line}`).join('\n')}`);
  process.exitCode = 1;
}

/** Runs one part by itself: `node bench/start.ts`. */
export async function runAlone(part: () => Promise<void>): Promise<void> {
  await part();
  reportMissed();
}
