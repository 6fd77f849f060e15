/**
 * Measures costs by number of photos. `node bench/growth.ts --write` writes the figures into
 * docs/performance.md.
 */
import { bareStatement, measureGrowth, sizes } from './growth/measure.ts';
import { formatTable, writePage } from './growth/page.ts';
import { report, runAlone } from './limits.ts';

export async function benchGrowth(isWritten = false): Promise<void> {
  const growths = await measureGrowth((line) => console.log(line));
  for (const database of new Set(growths.map((growth) => growth.database))) {
    const of = growths.filter((growth) => growth.database === database);
    console.log(`\nmilliseconds of CPU of a request\n${formatTable(of, sizes)}`);
    const findCost = (read: string, size: number) =>
      of.find((growth) => growth.read === read)?.costs.get(size) ?? Number.NaN;
    for (const size of sizes) {
      const ratio = findCost('list', size) / findCost(bareStatement, size);
      report(
        `${database}, ${size} photos: a list over HTTP`,
        ratio,
        'times its rows alone by a bare statement',
      );
    }
  }
  if (isWritten) writePage(growths, sizes);
}

if (import.meta.main) await runAlone(() => benchGrowth(process.argv.includes('--write')));
