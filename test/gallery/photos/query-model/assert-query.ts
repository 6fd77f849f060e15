/** Every way to read the photos of a query must find the same photos. */
import assert from 'node:assert/strict';
import type { Viewer } from '../../../../server/gallery/identity/viewer.ts';
import { resolvePhotoListFilter } from '../../../../server/gallery/photos/list/filter.ts';
import { applyPhotoListFilter, selectBranchPhotos } from '../../../../server/gallery/photos/list/query.ts';
import { boundedReadOptions } from '../../../../server/platform/db/dialect.ts';
import type { Gallery } from '../../../support/harness.ts';

/**
 * Asserts that each way to read a list finds the photos. In a small test gallery, the server itself would
 * always choose the same way.
 */
export async function assertWays(
  { deps: { db, ...deps } }: Gallery,
  viewer: Viewer | undefined,
  q: string,
  expected: number[],
): Promise<void> {
  const asked = { q, sort: 'create_time', order: 'desc', page: 1, limit: 1 } as const;
  const filter = await resolvePhotoListFilter({ db, ...deps }, viewer, asked);
  const photos = () => db.slow(boundedReadOptions).selectFrom('photos');
  for (const way of ['count', 'fetch', 'walk', 'found'] as const) {
    for (const column of ['create_time', 'views'] as const) {
      const found: number[] = [];
      for (const branch of filter.branches) {
        const of = { ...filter, column };
        const query =
          way === 'found'
            ? selectBranchPhotos(db.slow(boundedReadOptions), db, of, branch)
            : applyPhotoListFilter(photos(), db, of, branch, way);
        found.push(...(await query.select('photos.id').execute()).map(({ id }) => id));
      }
      assert.deepEqual(
        found.sort((one, other) => one - other),
        expected.toSorted((one, other) => one - other),
        `${q}, ${way}, ${column}`,
      );
    }
  }
}
