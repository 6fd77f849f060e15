/**
 * Checks counters in rows. One statement reads a page of counters and counts their rows, so that no change comes
 * between.
 */
import { type RawBuilder, sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import { insertPhotoCounters } from '../../gallery/library/counters.ts';
import { lockPhotoToMove } from '../../gallery/library/locks.ts';
import { renditionAllowanceBytes } from '../../gallery/photos/upload/quota.ts';
import { unlimitedReadOptions } from '../../platform/db/dialect.ts';
import { yieldRowPages } from '../../platform/db/pages.ts';
import { UserStatus } from '../../platform/db/states.ts';
import type { Transaction } from '../../platform/db/tables.ts';
import type { CheckContext } from './findings.ts';

const pageSize = 500;

const renditionAllowanceSql = sql.lit(renditionAllowanceBytes);

interface CountedTable {
  table: 'photo_counts' | 'photo_views' | 'comments' | 'users';
  /** Name of the table's column with the row id. */
  key: 'id' | 'photo_id';
  /** Word for a row of the table in the output, like `photo`. */
  noun: string;
  /** SQL expressions of the correct values, by the names of the counters' columns. */
  counters: Record<string, RawBuilder<number>>;
}

const counted: CountedTable[] = [
  {
    table: 'photo_counts',
    key: 'photo_id',
    noun: 'photo',
    counters: {
      likes: sql`(SELECT count(*) FROM likes WHERE photo_id = photo_counts.photo_id)`,
      favorites: sql`(SELECT count(*) FROM favorites WHERE photo_id = photo_counts.photo_id)`,
      comments: sql`(SELECT count(*) FROM comments WHERE photo_id = photo_counts.photo_id)`,
      comment_threads: sql`(SELECT count(*) FROM comments
        WHERE photo_id = photo_counts.photo_id AND parent_id IS NULL)`,
      user_id: sql`(SELECT user_id FROM photos WHERE id = photo_counts.photo_id)`,
      visibility: sql`(SELECT visibility FROM photos WHERE id = photo_counts.photo_id)`,
    },
  },
  {
    table: 'photo_views',
    key: 'photo_id',
    noun: 'photo',
    counters: { visibility: sql`(SELECT visibility FROM photos WHERE id = photo_views.photo_id)` },
  },
  {
    table: 'comments',
    key: 'id',
    noun: 'comment',
    counters: {
      likes: sql`(SELECT count(*) FROM comment_likes WHERE comment_id = comments.id)`,
      reply_count: sql`(SELECT count(*) FROM comments AS replies WHERE replies.parent_id = comments.id)`,
    },
  },
  {
    table: 'users',
    key: 'id',
    noun: 'user',
    counters: {
      followers: sql`(SELECT count(*) FROM follows JOIN users AS others ON others.id = follower_id
        WHERE followee_id = users.id AND others.status = ${sql.lit(UserStatus.enabled)})`,
      following: sql`(SELECT count(*) FROM follows JOIN users AS others ON others.id = followee_id
        WHERE follower_id = users.id AND others.status = ${sql.lit(UserStatus.enabled)})`,
      used_bytes: sql`(SELECT coalesce(sum(images.size + images.overhead + ${renditionAllowanceSql}), 0) FROM photos
        JOIN images ON images.photo_id = photos.id WHERE photos.user_id = users.id)
        + (SELECT coalesce(sum(size + ${renditionAllowanceSql}), 0) FROM uploads WHERE user_id = users.id AND photo_id IS NULL)`,
    },
  },
];

export async function checkCounters(round: CheckContext): Promise<void> {
  await checkMissing(round);
  for (const each of counted) await checkTable(round, each);
}

/**
 * Reports photos without rows of counters, because no list shows such a photo. A repair cannot restore lost views and
 * downloads, and sets them to 0.
 */
async function checkMissing({ deps, progress, report }: CheckContext): Promise<void> {
  progress.begin('photos without a row of counters');
  const { kysely } = deps.db;
  const missing = await deps.db
    .slow(unlimitedReadOptions)
    .selectFrom('photos')
    .leftJoin('photo_views', 'photo_views.photo_id', 'photos.id')
    .leftJoin('photo_counts', 'photo_counts.photo_id', 'photos.id')
    .select('photos.id')
    .where((is) => is.or([is('photo_views.photo_id', 'is', null), is('photo_counts.photo_id', 'is', null)]))
    .execute();
  for (const { id } of missing) {
    await report({
      kind: 'counter-drifted',
      subject: `photo ${id}`,
      detail: 'has no row of counters',
      repair: () => kysely.transaction().execute((transaction) => addMissing(deps, transaction, id)),
    });
  }
}

async function addMissing(deps: Deps, transaction: Transaction, id: number): Promise<boolean> {
  const photo = await lockPhotoToMove(deps, transaction, id);
  if (!photo) return false;
  await insertPhotoCounters(transaction, photo);
  return true;
}

type CountedRow = { id: number } & Record<string, number>;

async function checkTable({ deps, progress, report }: CheckContext, counted: CountedTable): Promise<void> {
  progress.begin(`counters of ${counted.table}`);
  const all = yieldRowPages(
    0,
    pageSize,
    (row: CountedRow) => row.id,
    (after, size) => findCounts(deps, counted, after, size),
  );
  for await (const rows of all) {
    progress.step(rows.length);
    for (const row of rows.filter(describeDrift)) {
      await report({
        kind: 'counter-drifted',
        subject: `${counted.noun} ${row.id}`,
        detail: describeDrift(row),
        repair: () => recountCounters(deps, counted, row.id),
      });
    }
  }

  /** Returns the differences of a row, like `likes says 3 instead of 2`, or '' if all counters are correct. */
  function describeDrift(row: CountedRow): string {
    return Object.keys(counted.counters)
      .filter((column) => Number(row[column]) !== Number(row[`counted_${column}`]))
      .map((column) => `${column} is ${row[column]} instead of ${row[`counted_${column}`]}`)
      .join(', ');
  }
}

async function findCounts({ db }: Deps, { table, key, counters }: CountedTable, after: number, size: number) {
  const columns = Object.entries(counters).flatMap(([column, count]) => [
    sql`${sql.ref(`${table}.${column}`)}`,
    sql`${count} AS ${sql.ref(`counted_${column}`)}`,
  ]);
  const { rows } =
    await sql<CountedRow>`SELECT ${sql.ref(key)} AS id, ${sql.join(columns)} FROM ${sql.table(table)}
      WHERE ${sql.ref(key)} > ${after} ORDER BY ${sql.ref(key)} LIMIT ${size}`.execute(
      db.slow(unlimitedReadOptions),
    );
  return rows;
}

/**
 * Recounts a row. The lock is taken before counting, because a PostgreSQL statement that waited for a lock counts the
 * older state.
 */
function recountCounters({ db }: Deps, { table, key, counters }: CountedTable, id: number): Promise<boolean> {
  return db.kysely.transaction().execute(async (transaction) => {
    const locked = table === 'photo_counts' || table === 'photo_views' ? 'photos' : table;
    await transaction.selectFrom(locked).select('id').where('id', '=', id).forUpdate().execute();
    const columns = Object.entries(counters).map(([column, count]) => sql`${sql.ref(column)} = ${count}`);
    const { numAffectedRows } = await sql`UPDATE ${sql.table(table)}
      SET ${sql.join(columns)} WHERE ${sql.ref(key)} = ${id}`.execute(transaction);
    return numAffectedRows === 1n;
  });
}
