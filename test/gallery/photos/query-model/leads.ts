/** Whatever the reads of a query begin with, and however its photos are reached, they are the same. */
import assert from 'node:assert/strict';
import type { Viewer } from '../../../../server/gallery/accounts/viewer.ts';
import { type ListFilter, readFilter } from '../../../../server/gallery/photos/list/filter.ts';
import { foundIn, narrow } from '../../../../server/gallery/photos/list/query.ts';
import type { Branch } from '../../../../server/gallery/photos/query/condition.ts';
import { bounded } from '../../../../server/platform/db/dialect.ts';
import type { Gallery } from '../../../support/harness.ts';

/** A gallery of a test is so small that everything finds few photos: here each condition leads, and none. */
export async function assertLeads(
  { deps }: Gallery,
  viewer: Viewer | undefined,
  q: string,
  expected: number[],
): Promise<void> {
  const reader = deps.db.slow(bounded);
  const asked = { q, sort: 'create_time', order: 'desc', page: 1, limit: 1 } as const;
  const filter = await readFilter(deps, viewer, asked);
  const leads = filter.condition!.candidates(filter.branches[0]!).map(({ lead }) => lead);
  const find = {
    count: (of: ListFilter, branch: Branch) => narrow(photos(), deps.db, of, branch, 'count'),
    fetch: (of: ListFilter, branch: Branch) => narrow(photos(), deps.db, of, branch, 'fetch'),
    walk: (of: ListFilter, branch: Branch) => narrow(photos(), deps.db, of, branch, 'walk'),
    words: (of: ListFilter, branch: Branch) =>
      foundIn(reader, deps.db, of, { ...branch, words: branch.lead }).select('photos.id'),
  };
  const photos = () => reader.selectFrom('photos').select('photos.id');
  for (const lead of [undefined, 'owner' as const, ...leads]) {
    for (const [way, rowsOf] of Object.entries(find)) {
      if (way === 'words' && (typeof lead !== 'object' || lead.kind !== 'words')) continue;
      for (const column of ['create_time', 'views'] as const) {
        const found: number[] = [];
        for (const branch of filter.branches) {
          const rows = await rowsOf({ ...filter, column }, { ...branch, lead }).execute();
          found.push(...rows.map(({ id }) => id));
        }
        const context = `${q} by ${JSON.stringify(lead)}, ${way}, ${column}`;
        assert.deepEqual(
          found.sort((one, other) => one - other),
          expected.toSorted((one, other) => one - other),
          context,
        );
      }
    }
  }
}
