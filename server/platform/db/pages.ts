/** Reads rows in pages by their key, so that a million rows never fill the memory. */
import type { ReferenceExpression, SelectQueryBuilder } from 'kysely';

/**
 * Yields pages of rows. `find(after)` returns the next rows in the order of `getKey`, at most `size`. A shorter page is
 * the last.
 */
export async function* yieldRowPages<Row, Key>(
  first: Key,
  size: number,
  getKey: (row: Row) => Key,
  find: (after: Key, size: number) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  for (let after = first; ; ) {
    const rows = await find(after, size);
    if (rows.length > 0) yield rows;
    if (rows.length < size) return;
    after = getKey(rows.at(-1)!);
  }
}

/**
 * Yields all rows of a query in pages, in the order of a column. `key` is the property of the row for that column, e.g.
 * `key` for `images.key`.
 */
export function yieldPagesByColumn<DB, TB extends keyof DB, Row, Key extends keyof Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  column: ReferenceExpression<DB, TB>,
  key: Key,
  first: Row[Key],
  size: number,
): AsyncGenerator<Row[]> {
  const ordered = query.orderBy(column).limit(size);
  return yieldRowPages(
    first,
    size,
    (row) => row[key],
    (after) => ordered.where(column, '>', after as never).execute() as Promise<Row[]>,
  );
}

export async function* flattenRowPages<Row>(pages: AsyncIterable<Row[]>): AsyncGenerator<Row> {
  for await (const rows of pages) yield* rows;
}
