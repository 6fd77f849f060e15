/** Compares the rows of two tables by a digest that does not need sorting. */
import { hash } from 'node:crypto';
import type { BulkTable, ColumnValue } from '../../platform/db/bulk.ts';
import type { RowBatch } from './tables.ts';

export interface TableDigest {
  rows: number;
  /** Sum of the SHA-256 of all rows, modulo 2^256, in hex. The order of the rows does not matter. */
  digest: string;
}

/** Row counts and digests by the names of tables. */
export type TableDigests = Record<string, TableDigest>;

const sumModulus = 1n << 256n;

export function createRowDigest() {
  let rows = 0;
  let sum = 0n;
  return {
    add(batch: ColumnValue[][]): void {
      rows += batch.length;
      for (const row of batch) sum += BigInt(`0x${hash('sha256', JSON.stringify(row))}`);
      sum %= sumModulus;
    },
    sum: (): TableDigest => ({ rows, digest: sum.toString(16).padStart(64, '0') }),
  };
}

/** Returns digests of all given tables, including tables without rows. */
export function createTableDigests(tables: BulkTable[]) {
  const digests = new Map(tables.map(({ name }) => [name, createRowDigest()]));
  return {
    add: ({ table, rows }: RowBatch) => digests.get(table.name)!.add(rows),
    sums: (): TableDigests =>
      Object.fromEntries(Array.from(digests, ([name, digest]) => [name, digest.sum()])),
  };
}

export function findDifferentTables(expected: TableDigests, found: TableDigests): string[] {
  const names = new Set([...Object.keys(expected), ...Object.keys(found)]);
  return [...names].filter(
    (name) => expected[name]?.rows !== found[name]?.rows || expected[name]?.digest !== found[name]?.digest,
  );
}

export function countDigestedRows(sums: TableDigests): number {
  return Object.values(sums).reduce((all, { rows }) => all + rows, 0);
}
