/** Figures next to what they may be. */

export interface Figure {
  what: string;
  value: number;
  limit: number;
  unit: string;
}

export const isMet = ({ value, limit }: Figure): boolean => value <= limit;

export function lineOf(figure: Figure): string {
  const { what, value, limit, unit } = figure;
  const shown = Number.isInteger(value) ? String(value) : value.toFixed(value < 1 ? 3 : 1);
  const mark = isMet(figure) ? 'ok    ' : 'OVER  ';
  return `${mark} ${what.padEnd(60)} ${shown.padStart(8)} ${unit} of ${limit}`;
}

export function medianOf(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
