/** Rows by their number and their ids. */
import type { SelectQueryBuilder } from 'kysely';

export function idsOf(rows: { id: number }[]): number[] {
  return rows.map(({ id }) => id);
}

/** How many rows the query has. */
export async function countOf<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
): Promise<number> {
  const counted = query.select((is) => is.fn.countAll<number>().as('n'));
  // Kysely does not know that a query of any tables has the column that was just added.
  return ((await counted.executeTakeFirstOrThrow()) as unknown as { n: number }).n;
}
