import type { BulkReader } from '../../platform/db/bulk.ts';
import type { Table } from '../../platform/db/table.ts';

/** Rows of these tables altogether: only for showing how far something is. */
export async function countRows(reader: BulkReader, tables: Table[]): Promise<number> {
  let total = 0;
  for (const { name } of tables) {
    for await (const [row] of reader.query(`SELECT count(*) FROM "${name}"`)) total += Number(row![0]);
  }
  return total;
}
