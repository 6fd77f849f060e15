/** Attempts in the audit log: those of a kind, an account and an address are one row for each hour. */
import { type ExpressionBuilder, type Insertable, sql } from 'kysely';
import type { Deps } from '../../../deps.ts';
import { fold } from '../../../platform/db/fold.ts';
import type { Tables } from '../../../platform/db/tables.ts';
import type { AuditLogTable } from '../../../platform/db/tables-people.ts';
import type { Action } from '../../moderation/audit.ts';

export interface Noted {
  action: Action;
  outcome: 'succeeded' | 'refused' | 'limited';
  /** The error's name in the catalogue, or ''. */
  reason: string;
  account: number | undefined;
  /** Folded or not; whose it is, is asked when it is written. */
  email: string;
  /** '': many. */
  address: string;
}

export interface Counted extends Noted {
  count: number;
  /** Unix seconds. */
  first: number;
  last: number;
  /** The hour since 1970. */
  hour: number;
}

/** That one statement takes. */
export const rowsAtOnce = 200;
const secondsOfDay = 86_400;
/** Refused ones, and those that succeeded without an account, whatever their age: the disk must not fill. */
const maxKept = 100_000;

/** At most `rowsAtOnce` of them: all are counted, or none. */
export async function writeAttempts({ db }: Deps, attempts: Counted[]): Promise<void> {
  const accounts = await findAccounts(db.kysely, attempts);
  await db.kysely
    .insertInto('audit_log')
    .values(merged(attempts.map((attempt) => rowOf(attempt, accounts(attempt)))))
    .onConflict((conflict) =>
      conflict.column('attempt_key').doUpdateSet({
        count: sql`audit_log.count + excluded.count`,
        last_time: sql`excluded.last_time`,
      }),
    )
    .execute();
}

interface Account {
  id: number;
  username: string;
}

async function findAccounts(kysely: Deps['db']['kysely'], attempts: Counted[]) {
  const ids = attempts.flatMap(({ account }) => account ?? []);
  const emails = attempts.flatMap(({ email }) => (email ? [fold(email)] : []));
  const users = await kysely
    .selectFrom('users')
    .select(['id', 'username', 'email_key'])
    .where((is) => is.or([is('id', 'in', [0, ...ids]), is('email_key', 'in', ['', ...emails])]))
    .execute();
  return ({ account, email }: Counted): Account | undefined =>
    users.find(({ id, email_key }) => id === account || (email !== '' && email_key === fold(email)));
}

type Row = Insertable<AuditLogTable> & { attempt_key: string; count: number; last_time: number };

/** Nothing that was typed is in it: an account by its id and its name of today, or none. */
function rowOf(
  { action, outcome, reason, address, count, first, last, hour }: Counted,
  account?: Account,
): Row {
  const { id, username } = account ?? { id: 0, username: '' };
  return {
    actor_id: id || null,
    actor: username,
    actor_key: fold(username),
    action,
    target_type: 'user',
    target_id: id,
    target: username,
    details: JSON.stringify(reason === '' ? {} : { reason }),
    create_time: first,
    outcome,
    address,
    count,
    last_time: last,
    attempt_key: JSON.stringify([hour, action, outcome, reason, id, address]),
  };
}

/** Addresses that no account has are told apart until here. */
function merged(rows: Row[]): Row[] {
  const byKey = new Map<string, Row>();
  for (const row of rows) {
    const before = byKey.get(row.attempt_key);
    byKey.set(
      row.attempt_key,
      before ? { ...before, count: before.count + row.count, last_time: row.last_time } : row,
    );
  }
  // In one order, so that two processes do not wait for each other.
  return [...byKey.values()].sort((a, b) => (a.attempt_key < b.attempt_key ? -1 : 1));
}

function isBounded(is: ExpressionBuilder<Tables, 'audit_log'>) {
  return is.or([is('outcome', '!=', 'succeeded'), is('actor_id', 'is', null)]);
}

/** Run by the periodic task, tools/upkeep/sweep.ts. Returns how many were removed; acts stay. */
export async function forgetOldAttempts({ db, clock, config }: Deps): Promise<number> {
  const surplus = await db.slow
    .selectFrom('audit_log')
    .select('create_time')
    .where('attempt_key', 'is not', null)
    .where((is) => isBounded(is))
    .orderBy('create_time', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .offset(maxKept)
    .executeTakeFirst();
  const { numDeletedRows } = await db.kysely
    .deleteFrom('audit_log')
    .where('attempt_key', 'is not', null)
    .where((is) =>
      is.or([
        is('create_time', '<=', clock() - config.attemptDays * secondsOfDay),
        is.and([isBounded(is), is('create_time', '<=', surplus?.create_time ?? -1)]),
      ]),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
