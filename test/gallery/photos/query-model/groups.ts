/** Computes months and counts of photos for the model, independently of the server. */
import type { ModelPhoto } from './model.ts';

export const getMonth = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 7);

export function countValues(values: string[]): [string, number][] {
  return [...Map.groupBy(values, (value) => value)].map(([value, all]) => [value, all.length]);
}

export function groupByMonth(photos: ModelPhoto[], by: 'taken_time' | 'create_time') {
  const months = [...Map.groupBy(photos, (photo) => getMonth(photo[by]))];
  const ratio = ({ width, height }: ModelPhoto) => Math.floor((width * 1000 + height / 2) / height);
  return months
    .map(([month, of]) => ({
      month,
      count: of.length,
      ratio: of.reduce((sum, photo) => sum + ratio(photo), 0) / 1000,
    }))
    .sort((one, other) => (one.month < other.month ? 1 : -1));
}
