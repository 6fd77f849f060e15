/**
 * Waits for accounts that are deleted in the background. On a timeout, the error describes the pending work.
 */
import { loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { eventually } from './gallery-counts.ts';
import type { Gallery } from './harness.ts';

/** Milliseconds until a second look, which shows whether a slow deletion has made progress. */
const secondLookMs = 3000;
const logLines = 5;
const lineLength = 400;

/** Waits like `eventually`. `userId` is the account that `look` checks. */
export async function waitForErasure(
  gallery: Gallery,
  userId: number,
  { look, withinMs }: { look: () => Promise<void>; withinMs: number },
): Promise<void> {
  try {
    await eventually(look, withinMs);
  } catch (error) {
    const state = await describeErasure(gallery, userId).catch((trouble) => `no state is known: ${trouble}`);
    throw new Error(`${(error as Error).message}\n${state}`, { cause: error });
  }
}

async function describeErasure(gallery: Gallery, userId: number): Promise<string> {
  const { kysely } = gallery.deps.db;
  const users = await kysely.selectFrom('users').select(['id', 'status']).where('id', '=', userId).execute();
  const left = await describeRemains(gallery, userId);
  // Reads the lock waits before the pause, because they may be over afterwards.
  const database = process.env.TEST_DATABASE === 'postgres' ? await readActivity(gallery) : [];
  await pause(secondLookMs);
  return [
    `the account: ${JSON.stringify(users)}`,
    `left of it: ${left}`,
    `the machine's load: ${loadavg().map((load) => load.toFixed(1))}`,
    `${secondLookMs} ms later: ${await describeRemains(gallery, userId)}`,
    ...database,
    'the end of the log:',
    ...gallery
      .complaints()
      .slice(-logLines)
      .map((line) => line.trim().slice(0, lineLength)),
  ].join('\n');
}

async function describeRemains({ deps }: Gallery, userId: number): Promise<string> {
  const counts: string[] = [];
  const tables = ['photos', 'albums', 'comments', 'likes', 'favorites', 'comment_likes', 'notifications'];
  for (const table of tables as 'photos'[]) {
    const { n } = await deps.db.kysely
      .selectFrom(table)
      .select((is) => is.fn.countAll<number>().as('n'))
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow();
    counts.push(`${n} ${table}`);
  }
  return counts.join(', ');
}

/** Returns PostgreSQL's activity for this gallery, with its lock waits. */
async function readActivity({ deps }: Gallery): Promise<string[]> {
  const activity = await sql`SELECT pid, state, wait_event_type AS waits, wait_event AS for,
      pg_blocking_pids(pid) AS behind, round(extract(epoch FROM clock_timestamp() - xact_start)) AS seconds,
      left(regexp_replace(query, '\\s+', ' ', 'g'), 100) AS query
    FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'
    ORDER BY xact_start NULLS LAST`.execute(deps.db.kysely);
  const locks = await sql`SELECT pid, locktype, mode, relation::regclass::text AS of, classid, objid
    FROM pg_locks WHERE NOT granted`.execute(deps.db.kysely);
  return [
    'PostgreSQL does:',
    ...activity.rows.map((row) => JSON.stringify(row)),
    `locks that are waited for: ${JSON.stringify(locks.rows)}`,
  ];
}
