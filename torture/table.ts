/** Formats the figures as a Markdown table for notes. */
import type { Figure } from './part.ts';

interface Rows {
  part: { name: string };
  /** Name of the gallery location. */
  title: string;
  seconds: number;
  figures: Figure[];
}

export function formatTable(results: Rows[]): string {
  const head = ['part', 'on', 'figure', 'value', 'must be', 'held'];
  const rows = results.flatMap(({ part, title, seconds, figures }) =>
    figures.map(({ name, value, limit, isHeld, isUntried }, index) => [
      index === 0 ? `${part.name} (${Math.round(seconds)} s)` : '',
      index === 0 ? title : '',
      name,
      value,
      limit ?? '',
      isUntried ? '?' : limit === undefined ? '' : isHeld ? 'yes' : '**NO**',
    ]),
  );
  return [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map(clean).join(' | ')} |`)
    .join('\n');
}

function clean(cell: string): string {
  return cell.replaceAll('|', '\\|').replace(/\s+/g, ' ');
}
