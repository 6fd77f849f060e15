/** Tells whether two tables hold the same rows, without sorting either. */
import { hash } from 'node:crypto';
import type { Value } from '../../platform/db/table.ts';

export interface TableSum {
  rows: number;
  /** Sum of the SHA-256 of every row, modulo 2^256, hex: the order of the rows does not matter. */
  digest: string;
}

export interface RowDigest {
  add(rows: Value[][]): void;
  sum(): TableSum;
}

const modulus = 1n << 256n;

export function createRowDigest(): RowDigest {
  let rows = 0;
  let sum = 0n;
  return {
    add(batch) {
      rows += batch.length;
      for (const row of batch) sum += BigInt(`0x${hash('sha256', JSON.stringify(row))}`);
      sum %= modulus;
    },
    sum: () => ({ rows, digest: sum.toString(16).padStart(64, '0') }),
  };
}

/** The names of tables whose sums differ. */
export function differences(expected: Record<string, TableSum>, found: Record<string, TableSum>): string[] {
  const names = new Set([...Object.keys(expected), ...Object.keys(found)]);
  return [...names].filter(
    (name) => expected[name]?.rows !== found[name]?.rows || expected[name]?.digest !== found[name]?.digest,
  );
}
