/** Checks tables of totals. One statement compares stored and counted totals, so that no change comes between. */

import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Deps } from '../../deps.ts';
import { selectPhotoGroupCounts } from '../../gallery/library/groups.ts';
import { unlimitedReadOptions } from '../../platform/db/dialect.ts';
import { Visibility } from '../../platform/db/states.ts';
import type { Tables } from '../../platform/db/tables.ts';
import type { CheckContext } from './findings.ts';

interface Totals {
  table: 'photo_totals' | 'tag_totals' | 'photo_groups';
  /** Columns that identify a total. `sums` are the columns with the values of the total. */
  keys: string[];
  sums: string[];
  /** Query for all correct totals: the key columns, then the sum columns. */
  counted: RawBuilder<unknown>;
  /** Another column that a new row of the totals needs, and its value. */
  rest?: { column: string; of(row: DriftedRow): RawBuilder<unknown> };
}

type DriftedRow = Record<string, number | string>;

const tagCounts = (user: RawBuilder<unknown>) =>
  sql`SELECT ${user} AS user_id, visibility, name_key, count(*) AS n FROM photo_tags
    WHERE visibility > ${sql.lit(Visibility.trash)} GROUP BY 1, 2, 3`;

const albumsWith = (visibility: Visibility) =>
  sql`(SELECT id FROM albums WHERE visibility = ${sql.lit(visibility)})`;

/**
 * Visibility that a photo counts as. Photos count at most with the visibility of their album, even if their own rows are
 * not updated yet (library/counts.ts).
 */
const countedAs = sql`CASE
  WHEN visibility IN (${sql.lit(Visibility.members)}, ${sql.lit(Visibility.public)})
    AND album_id IN ${albumsWith(Visibility.private)} THEN ${sql.lit(Visibility.private)}
  WHEN visibility = ${sql.lit(Visibility.public)} AND album_id IN ${albumsWith(Visibility.members)}
    THEN ${sql.lit(Visibility.members)}
  ELSE visibility END`;

const storedTotals = (db: Deps['db']): Totals[] => [
  {
    table: 'photo_totals',
    keys: ['user_id', 'visibility'],
    sums: ['n'],
    counted: sql`SELECT user_id, ${countedAs} AS visibility, count(*) AS n FROM photos GROUP BY 1, 2
      UNION ALL SELECT 0 AS user_id, ${countedAs} AS visibility, count(*) AS n FROM photos GROUP BY 2`,
  },
  {
    table: 'tag_totals',
    keys: ['user_id', 'visibility', 'name_key'],
    sums: ['n'],
    counted: sql`${tagCounts(sql`user_id`)} UNION ALL ${tagCounts(sql`0`)}`,
    rest: {
      column: 'name',
      of: ({ name_key }) =>
        sql`coalesce((SELECT min(name) FROM photo_tags WHERE name_key = ${name_key}), ${name_key})`,
    },
  },
  {
    table: 'photo_groups',
    keys: ['user_id', 'visibility', 'kind', 'value'],
    sums: ['n', 'ratio'],
    counted: selectPhotoGroupCounts(db),
  },
];

export async function checkTotals(round: CheckContext): Promise<void> {
  for (const totals of storedTotals(round.deps.db)) await checkTable(round, totals);
}

async function checkTable({ deps, progress, report }: CheckContext, totals: Totals): Promise<void> {
  progress.begin(totals.table.replace('_', ' '));
  for (const row of await findDrifted(deps, totals)) {
    const key = totals.keys.map((column) => `${column} ${row[column]}`).join(', ');
    const detail = totals.sums
      .map((column) => `${column} is ${row[column]} instead of ${row[`counted_${column}`]}`)
      .join(', ');
    await report({
      kind: 'total-drifted',
      subject: `${totals.table} of ${key}`,
      detail,
      repair: () => recountTotals(deps, totals, row),
    });
  }
}

/** Returns the totals whose stored and counted values differ. A total of 0 is correct with and without a row. */
async function findDrifted({ db }: Deps, { table, keys, sums, counted }: Totals): Promise<DriftedRow[]> {
  const columns = sql.join(keys.map((key) => sql.ref(key)));
  const keptSums = sums.map((sum) => sql`${sql.ref(sum)}, 0 AS ${sql.ref(`counted_${sum}`)}`);
  const countedSums = sums.map((sum) => sql`0, ${sql.ref(sum)}`);
  const both = sums.flatMap((sum) => [
    sql`sum(${sql.ref(sum)}) AS ${sql.ref(sum)}`,
    sql`sum(${sql.ref(`counted_${sum}`)}) AS ${sql.ref(`counted_${sum}`)}`,
  ]);
  const differs = sums.map((sum) => sql`sum(${sql.ref(sum)}) <> sum(${sql.ref(`counted_${sum}`)})`);
  const { rows } = await sql<DriftedRow>`SELECT ${columns}, ${sql.join(both)} FROM (
      SELECT ${columns}, ${sql.join(keptSums)} FROM ${sql.table(table)}
      UNION ALL SELECT ${columns}, ${sql.join(countedSums)} FROM (${counted}) AS counted
    ) AS either GROUP BY ${columns} HAVING ${sql.join(differs, sql` OR `)}
    ORDER BY ${columns}`.execute(db.slow(unlimitedReadOptions));
  return rows;
}

/**
 * Recounts a total after locking its row. Every transaction that changes counted rows also changes the total. Such a
 * transaction either commits before the lock and is counted, or waits and then changes the corrected total.
 */
function recountTotals({ db }: Deps, totals: Totals, row: DriftedRow): Promise<boolean> {
  const { table, keys, sums, counted } = totals;
  const isSameRow = (prefix: string) =>
    sql.join(
      keys.map((key) => sql`${sql.ref(`${prefix}.${key}`)} = ${row[key]}`),
      sql` AND `,
    );
  const counts = sums.map(
    (sum) => sql`${sql.ref(sum)} = coalesce((SELECT ${sql.ref(`counted.${sum}`)} FROM (${counted}) AS counted
      WHERE ${isSameRow('counted')}), 0)`,
  );
  return db.kysely.transaction().execute(async (transaction) => {
    await lockTotal(transaction, totals, row);
    await sql`UPDATE ${sql.table(table)} SET ${sql.join(counts)} WHERE ${isSameRow(table)}`.execute(
      transaction,
    );
    // The row of an unused tag is deleted. For other totals a row with 0 means the same as no row.
    await sql`DELETE FROM ${sql.table(table)} WHERE ${isSameRow(table)} AND n <= 0`.execute(transaction);
    return true;
  });
}

/** Locks the row of a total, and inserts the row if it does not exist. */
async function lockTotal(
  transaction: Transaction<Tables>,
  { table, keys, sums, rest }: Totals,
  row: DriftedRow,
): Promise<void> {
  const columns = [...keys, ...sums, ...(rest ? [rest.column] : [])].map((column) => sql.ref(column));
  const values = [
    ...keys.map((key) => sql`${row[key]}`),
    ...sums.map(() => sql`0`),
    ...(rest ? [rest.of(row)] : []),
  ];
  await sql`INSERT INTO ${sql.table(table)} (${sql.join(columns)}) VALUES (${sql.join(values)})
    ON CONFLICT (${sql.join(keys.map((key) => sql.ref(key)))})
    DO UPDATE SET n = ${sql.ref(`${table}.n`)}`.execute(transaction);
}
