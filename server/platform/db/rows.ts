/** Functions for ids and counts of rows. */
import type { SelectQueryBuilder } from 'kysely';

export function idsOf(rows: { id: number }[]): number[] {
  return rows.map(({ id }) => id);
}

/** Returns the number of rows of a query. */
export async function countRows<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
): Promise<number> {
  const counted = query.select((is) => is.fn.countAll<number>().as('n'));
  // Kysely cannot type a column that is added to a query of unknown tables.
  return ((await counted.executeTakeFirstOrThrow()) as unknown as { n: number }).n;
}
