/** Compares months and facets with those that the model computes, independently of the server. */
import assert from 'node:assert/strict';
import { assertRead } from '../../../support/assert-answers.ts';
import type { Person } from '../../../support/people.ts';
import type { ModelPhoto } from './model.ts';

const getMonth = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 7);

function countValues(values: string[]): [string, number][] {
  return [...Map.groupBy(values, (value) => value)].map(([value, all]) => [value, all.length]);
}

function groupByMonth(photos: ModelPhoto[], by: 'taken_time' | 'create_time') {
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

/** Asserts that the months and facets of a query are those of the photos that it finds. */
export async function assertGroups(
  who: Person,
  q: string,
  held: ModelPhoto[],
  context: string,
): Promise<void> {
  const asked = `q=${encodeURIComponent(q)}`;
  for (const by of ['taken_time', 'create_time'] as const) {
    const { list } = assertRead(await who.get(`/api/timeline?by=${by}&${asked}`));
    assert.deepEqual(list, groupByMonth(held, by), `${context}, months by ${by}`);
  }
  const facets = assertRead(await who.get(`/api/facets?${asked}`));
  const told = {
    tags: facets.tags.map(({ name, count }: Named) => [name, count]),
    cameras: facets.cameras.map(({ name, count }: Named) => [name, count]),
    years: facets.years.map(({ year, count }: { year: number; count: number }) => [String(year), count]),
    users: facets.users.map(({ user, count }: { user: { id: number }; count: number }) => [
      String(user.id),
      count,
    ]),
  };
  const expected = {
    tags: countValues(held.flatMap(({ tags }) => tags)),
    cameras: countValues(held.map(({ camera }) => camera).filter((camera) => camera !== '')),
    years: countValues(held.map((photo) => getMonth(photo.taken_time).slice(0, 4))),
    users: countValues(held.map(({ owner }) => String(owner))),
  };
  for (const facet of ['tags', 'cameras', 'years', 'users'] as const)
    assert.deepEqual(told[facet].sort(), expected[facet].sort(), `${context}, ${facet}`);
}

interface Named {
  name: string;
  count: number;
}
