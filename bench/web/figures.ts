/** The type of a measured figure with its limit. */

export interface Figure {
  what: string;
  value: number;
  limit: number;
  unit: string;
}

export function findMedian(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
