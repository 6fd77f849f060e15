/** Writes the figures and charts into docs/performance.md. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { drawChart } from './chart.ts';
import type { Growth } from './measure.ts';

const docs = join(import.meta.dirname, '../../docs');
const page = join(docs, 'performance.md');
const between = /(<!-- growth -->\n)[\s\S]*?(<!-- end of growth -->)/;

export function writePage(growths: Growth[], sizes: number[]): void {
  const databases = [...new Set(growths.map(({ database }) => database))];
  const sections = databases.map((database) => {
    const of = growths.filter((growth) => growth.database === database);
    const file = `performance-${database.toLowerCase()}.svg`;
    writeFileSync(join(docs, file), drawChart(of, sizes));
    return `![CPU of one request on ${database} against the number of photos](${file})\n\n${formatTable(of, sizes)}\n`;
  });
  const text = readFileSync(page, 'utf8');
  writeFileSync(
    page,
    text.replace(between, (_, start: string, end: string) => `${start}\n${sections.join('\n')}\n${end}`),
  );
}

export function formatTable(growths: Growth[], sizes: number[]): string {
  const [first, last] = [sizes[0]!, sizes.at(-1)!];
  const head = [growths[0]?.database, ...sizes.map((size) => size.toLocaleString('en')), 'times'];
  const rows = growths.map(({ read, costs }) => {
    const times = (costs.get(last) ?? Number.NaN) / (costs.get(first) ?? Number.NaN);
    return [
      read,
      ...sizes.map((size) => shown(costs.get(size) ?? null)),
      Number.isNaN(times) ? '' : times.toFixed(1),
    ];
  });
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function shown(ms: number | null): string {
  return ms === null ? 'refused' : ms < 10 ? ms.toFixed(2) : ms.toFixed(0);
}
