/**
 * Views and downloads: counted in memory and written together several times a second, so that reading does not
 * wait for the disk. A crash may lose the last quarter of a second of them, and nothing else (ADR 0006).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { CompiledQuery, sql, type Transaction } from 'kysely';
import { DatabaseUnavailable, type OpenedDatabase } from './dialect.ts';
import type { Tables } from './tables.ts';

const flushMs = 250;
/** A reader waits at most this long for a commit of counts that its rows may have or not. */
const timeoutMs = 100;

const columns = {
  photoViews: { table: 'photos', column: 'views' },
  photoDownloads: { table: 'photos', column: 'downloads' },
  shareViews: { table: 'shares', column: 'views' },
  shareDownloads: { table: 'shares', column: 'downloads' },
} as const;

export type Counter = keyof typeof columns;

export interface Counters {
  /** `at`: when, in Unix seconds; kept where the row has a column for the last time. */
  count(counter: Counter, id: number, at?: number): void;
  /**
   * Reads rows by `read`, which may run more than once, and adds what is counted but not in them yet. Nothing is left
   * out and nothing told twice, unless the database takes longer than a tenth of a second to commit.
   */
  complete<Row extends Counted>(counters: Counter[], read: () => Promise<Row[]>): Promise<Row[]>;
  /** Writes everything that is pending. Never rejects: what could not be written stays pending. */
  flush(): Promise<void>;
}

/** A row of a counter's table, with its column. */
type Counted = { id: number; views: number; downloads?: number };

/** Counter and row → how often. */
type Counts = Map<string, Count & { counter: Counter }>;

export function createCounters(db: OpenedDatabase, onError: (error: Error) => void): Counters {
  let pending: Counts = new Map();
  let underWay: Counts = new Map();
  let writing: Promise<void> | undefined;
  /** While it is, `underWay` is in the rows or not: from the sending of COMMIT to its answer. */
  let isCommitting = false;
  /** Beginnings and ends of commits. */
  let changes = 0;
  let timer: NodeJS.Timeout | undefined;
  const write = createWrite(db);

  function add({ counter, id, n, at }: Count & { counter: Counter }): void {
    const key = `${counter} ${id}`;
    const before = pending.get(key) ?? { n: 0, at: 0 };
    pending.set(key, { counter, id, n: n + before.n, at: Math.max(at, before.at) });
    timer ??= setTimeout(flush, flushMs).unref();
  }

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    while (writing) await writing;
    if (pending.size === 0) return;
    underWay = pending;
    pending = new Map();
    writing = writeUnderWay();
    await writing;
  }

  async function writeUnderWay(): Promise<void> {
    try {
      await db.kysely.transaction().execute(async (transaction) => {
        await write(transaction, underWay);
        isCommitting = true;
        changes++;
      });
    } catch (error) {
      // Rather a quarter of a second of them lost than counted twice.
      const mayBeWritten = error instanceof DatabaseUnavailable && error.mayHaveCommitted;
      onError(new Error('views and downloads were not written', { cause: error }));
      if (!mayBeWritten) for (const count of underWay.values()) add(count);
    }
    isCommitting = false;
    changes++;
    underWay = new Map();
    writing = undefined;
  }

  function addMissing(row: Counted, counters: Counter[]): void {
    for (const counter of counters) {
      const key = `${counter} ${row.id}`;
      const n = (pending.get(key)?.n ?? 0) + (underWay.get(key)?.n ?? 0);
      if (n > 0) row[columns[counter].column]! += n;
    }
  }

  return {
    count: (counter, id, at = 0) => add({ counter, id, n: 1, at }),
    async complete(counters, read) {
      const isUnderWay = ({ id }: Counted) => counters.some((counter) => underWay.has(`${counter} ${id}`));
      let isLate = false;
      for (;;) {
        const before = changes;
        const rows = await read();
        const isSure = changes === before && !(isCommitting && rows.some(isUnderWay));
        if (isSure || isLate) {
          for (const row of rows) addMissing(row, counters);
          return rows;
        }
        if (isCommitting) isLate = await Promise.race([writing!.then(() => false), sleep(timeoutMs, true)]);
      }
    },
    flush,
  };
}

interface Count {
  id: number;
  n: number;
  at: number;
}

/**
 * Rows of one statement. Few sizes, filled up with an id that no row has: few statements to prepare. Short ones: on few
 * cores the requests of all wait for one that is long (256: a p99 of 24 ms under a mixed load instead of 20).
 */
const sizes = [1, 4, 16, 64];
const filling: Count = { id: 0, n: 0, at: 0 };

/** What it makes writes counts. Its statements are compiled once: that costs more than carrying them out. */
function createWrite(db: Pick<OpenedDatabase, 'locksRows'>) {
  const texts = new Map<string, string>();

  async function run(
    transaction: Transaction<Tables>,
    name: string,
    make: () => { sql: string },
    values: number[],
  ): Promise<void> {
    const text = texts.get(name) ?? make().sql;
    texts.set(name, text);
    await transaction.executeQuery(CompiledQuery.raw(text, values));
  }

  return async (transaction: Transaction<Tables>, counts: Counts): Promise<void> => {
    // In one order everywhere: two processes that write the same rows cannot wait for each other.
    const sorted = [...counts.values()].sort((one, other) => one.id - other.id);
    for (const table of ['photos', 'shares'] as const) {
      const ofTable = sorted.filter(({ counter }) => columns[counter].table === table);
      for (const rows of db.locksRows ? chunksOf(ofTable) : []) {
        const ids = rows.map(({ id }) => id);
        await run(transaction, `lock ${table} ${ids.length}`, () => lockOf(transaction, table, ids), ids);
      }
      for (const counter of new Set(ofTable.map(({ counter }) => counter))) {
        for (const rows of chunksOf(ofTable.filter((count) => count.counter === counter))) {
          const values = rows.flatMap(({ id, n, at }) => [id, n, at]);
          await run(
            transaction,
            `${counter} ${rows.length}`,
            () => additionOf(transaction, counter, rows),
            values,
          );
        }
      }
    }
  };
}

function lockOf(transaction: Transaction<Tables>, table: 'photos' | 'shares', ids: number[]) {
  return transaction
    .selectFrom(table)
    .select('id')
    .where('id', 'in', ids)
    .orderBy('id')
    .forUpdate()
    .compile();
}

/** One statement for many rows: a transaction of a quarter of a second's views is over before a reader has waited. */
function additionOf(transaction: Transaction<Tables>, counter: Counter, rows: Count[]) {
  const { table, column } = columns[counter];
  const big = (value: number) => sql`CAST(${value} AS bigint)`;
  const values = sql.join(rows.map(({ id, n, at }) => sql`(${big(id)}, ${big(n)}, ${big(at)})`));
  const time =
    table === 'shares' && column === 'views'
      ? sql`, last_view_time = CASE WHEN coalesce(last_view_time, 0) < column3 THEN column3 ELSE last_view_time END`
      : sql``;
  // Both databases call the columns of VALUES so.
  return sql`UPDATE ${sql.table(table)} SET ${sql.ref(column)} = ${sql.ref(column)} + counted.column2${time}
    FROM (VALUES ${values}) AS counted WHERE ${sql.ref(`${table}.id`)} = counted.column1`.compile(
    transaction,
  );
}

function* chunksOf(counts: Count[]): Generator<Count[]> {
  const largest = sizes.at(-1)!;
  for (let start = 0; start < counts.length; start += largest) {
    const chunk = counts.slice(start, start + largest);
    const size = sizes.find((size) => size >= chunk.length)!;
    yield [...chunk, ...Array.from({ length: size - chunk.length }, () => filling)];
  }
}
