/** Whatever the reads of a query begin with, and however its photos are reached, they are the same. */
import assert from 'node:assert/strict';
import type { Viewer } from '../../../../server/gallery/accounts/viewer.ts';
import { readFilter } from '../../../../server/gallery/photos/list/filter.ts';
import { narrow } from '../../../../server/gallery/photos/list/narrow.ts';
import type { Gallery } from '../../../support/harness.ts';

/** A gallery of a test is so small that everything finds few photos: here each condition leads, and none. */
export async function assertLeads(
  { deps }: Gallery,
  viewer: Viewer | undefined,
  q: string,
  expected: number[],
): Promise<void> {
  const { bounded } = deps.db;
  const asked = { q, sort: 'create_time', order: 'desc', page: 1, limit: 1 } as const;
  const filter = await readFilter(deps, viewer, asked);
  const leads = filter.condition!.candidates(filter.branches[0]!).map(({ lead }) => lead);
  for (const lead of [undefined, 'owner' as const, ...leads]) {
    for (const strategy of ['count', 'fetch', 'walk'] as const) {
      for (const column of ['create_time', 'views'] as const) {
        const found: number[] = [];
        for (const branch of filter.branches) {
          const photos = bounded.selectFrom('photos').select('photos.id');
          const led = { ...branch, lead };
          const rows = await narrow(photos, deps.db, { ...filter, column }, led, strategy).execute();
          found.push(...rows.map(({ id }) => id));
        }
        const context = `${q} by ${JSON.stringify(lead)}, ${strategy}, ${column}`;
        assert.deepEqual(
          found.sort((one, other) => one - other),
          expected.toSorted((one, other) => one - other),
          context,
        );
      }
    }
  }
}
