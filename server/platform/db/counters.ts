/**
 * Counters of views and downloads. The counts are added up in memory and written together four times per second, so
 * that no read waits for the disk. A crash loses at most the last quarter of a second (ADR 6).
 */
import { sql, type Transaction } from 'kysely';
import { DatabaseUnavailable, type OpenedDatabase } from './dialect.ts';
import type { Tables } from './tables.ts';

const flushMs = 250;
/**
 * Number of rows per statement. The last statement is padded to this number, so each counter needs only one prepared
 * statement.
 */
const rowsAtOnce = 32;

const columnByCounter = {
  photoViews: { table: 'photo_views', key: 'photo_id', column: 'views' },
  photoDownloads: { table: 'photo_views', key: 'photo_id', column: 'downloads' },
  shareViews: { table: 'shares', key: 'id', column: 'views' },
  shareDownloads: { table: 'shares', key: 'id', column: 'downloads' },
} as const;

export type CounterName = keyof typeof columnByCounter;

export interface BufferedCounters {
  /** Adds one to a counter. `at` is the time in Unix seconds, stored if the row has a column for the last time. */
  count(counter: CounterName, id: number, at?: number): void;
  /**
   * Adds this process's unwritten counts to rows. During a commit a count may appear slightly late, but it never
   * appears twice.
   */
  addPending<Row extends CounterRow>(counters: CounterName[], rows: Row[]): Row[];
  /** Writes all pending counts. Never rejects: counts that could not be written stay pending. */
  flush(): Promise<void>;
}

/** Row of a table with counters: its id and counted columns. */
type CounterRow = { id: number; views: number; downloads?: number };

interface Count {
  counter: CounterName;
  id: number;
  n: number;
  at: number;
}

const counterKey = ({ counter, id }: Pick<Count, 'counter' | 'id'>) => `${counter} ${id}`;

export function createBufferedCounters(
  { kysely }: Pick<OpenedDatabase, 'kysely'>,
  onError: (error: Error) => void,
): BufferedCounters {
  let pending = new Map<string, Count>();
  /** Counts that are being written and are not in any row yet. */
  let underWay = new Map<string, Count>();
  let writing: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  function add(count: Count): void {
    const { n, at } = pending.get(counterKey(count)) ?? { n: 0, at: 0 };
    pending.set(counterKey(count), { ...count, n: count.n + n, at: Math.max(count.at, at) });
    timer ??= setTimeout(flush, flushMs).unref();
  }

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    while (writing) await writing;
    if (pending.size === 0) return;
    writing = writePending().finally(() => {
      writing = undefined;
    });
    await writing;
  }

  async function writePending(): Promise<void> {
    const counts = pending;
    underWay = counts;
    pending = new Map();
    try {
      await kysely.transaction().execute(async (transaction) => {
        await writeCounts(transaction, [...counts.values()]);
        // The commit comes next, so from now on the rows may include the counts of this transaction.
        underWay = new Map();
      });
    } catch (error) {
      onError(new Error('view and download counts could not be written yet', { cause: error }));
      // If the commit may have succeeded, the counts are dropped: losing a quarter of a second is better than counting
      // it twice.
      const mayBeWritten = error instanceof DatabaseUnavailable && error.mayHaveCommitted;
      if (!mayBeWritten) for (const count of counts.values()) add(count);
    }
    underWay = new Map();
  }

  return {
    count: (counter, id, at = 0) => add({ counter, id, n: 1, at }),
    addPending(counters, rows) {
      for (const row of rows) {
        for (const counter of counters) {
          const key = counterKey({ counter, id: row.id });
          row[columnByCounter[counter].column]! += (pending.get(key)?.n ?? 0) + (underWay.get(key)?.n ?? 0);
        }
      }
      return rows;
    },
    flush,
  };
}

async function writeCounts(transaction: Transaction<Tables>, counts: Count[]): Promise<void> {
  // Rows are locked in the order of their ids, so that two processes cannot deadlock.
  counts.sort((one, other) => one.id - other.id);
  for (const [table, key] of [
    ['photo_views', 'photo_id'],
    ['shares', 'id'],
  ] as const) {
    const ids = new Set(
      counts.flatMap(({ counter, id }) => (columnByCounter[counter].table === table ? id : [])),
    );
    for (const some of padToChunks([...ids], 0)) {
      await transaction
        .selectFrom(table)
        .select(sql.ref(key).as('id'))
        .where(sql.ref(key), 'in', some)
        .orderBy(sql.ref(key))
        .forNoKeyUpdate()
        .execute();
    }
  }
  for (const [counter, some] of Map.groupBy(counts, ({ counter }) => counter)) {
    for (const chunk of padToChunks(some, { counter, id: 0, n: 0, at: 0 })) {
      await addTo(transaction, counter, chunk);
    }
  }
}

async function addTo(transaction: Transaction<Tables>, counter: CounterName, counts: Count[]): Promise<void> {
  const { table, key, column } = columnByCounter[counter];
  const big = (value: number) => sql`CAST(${value} AS bigint)`;
  const values = sql.join(counts.map(({ id, n, at }) => sql`(${big(id)}, ${big(n)}, ${big(at)})`));
  const time =
    counter === 'shareViews'
      ? sql`, last_view_time = CASE WHEN coalesce(last_view_time, 0) < column3 THEN column3 ELSE last_view_time END`
      : sql``;
  // Both databases name the columns of VALUES `column1`, `column2` and so on.
  await sql`UPDATE ${sql.table(table)} SET ${sql.ref(column)} = ${sql.ref(column)} + counted.column2${time}
    FROM (VALUES ${values}) AS counted WHERE ${sql.ref(`${table}.${key}`)} = counted.column1`.execute(
    transaction,
  );
}

/** Splits items into chunks of `rowsAtOnce` and pads the last chunk with `filling`, which matches no row. */
function* padToChunks<Item>(items: Item[], filling: Item): Generator<Item[]> {
  for (let start = 0; start < items.length; start += rowsAtOnce) {
    const chunk = items.slice(start, start + rowsAtOnce);
    yield [...chunk, ...Array<Item>(rowsAtOnce - chunk.length).fill(filling)];
  }
}
