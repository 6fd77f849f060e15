/** Rows in pages by their key: a million of them never lie in memory. */

/** `find(after)` returns the next rows in the order of `keyOf`, at most `size`; a shorter page is the last. */
export async function* pages<Row, Key>(
  first: Key,
  size: number,
  keyOf: (row: Row) => Key,
  find: (after: Key, size: number) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  for (let after = first; ; ) {
    const rows = await find(after, size);
    if (rows.length > 0) yield rows;
    if (rows.length < size) return;
    after = keyOf(rows.at(-1)!);
  }
}

export async function* each<Row>(pages: AsyncIterable<Row[]>): AsyncGenerator<Row> {
  for await (const rows of pages) yield* rows;
}
