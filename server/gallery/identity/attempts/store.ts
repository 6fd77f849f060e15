/** Stores attempts in the audit log, one row for each action, outcome, reason, account and hour. Looks at
 * private photos of others have one row for each owner. */
import { type ExpressionBuilder, type Insertable, sql } from 'kysely';
import type { Deps } from '../../../deps.ts';
import { foldText } from '../../../platform/db/fold.ts';
import type { Tables } from '../../../platform/db/tables.ts';
import type { AuditLogTable } from '../../../platform/db/tables-people.ts';
import type { AuditAction } from '../../moderation/audit.ts';

export interface AuditedAttempt {
  action: AuditAction;
  outcome: 'succeeded' | 'refused' | 'limited';
  /** Name of the error that refused the attempt, or '' for a success. */
  reason: string;
  account: number | undefined;
  /** Account whose photos were looked at. Absent if the attempt concerns the own account. */
  owner?: number | undefined;
  /**
   * Email address as typed in an attempt. The recorder looks up the account of the email address when it writes the
   * count.
   */
  email: string;
  address: string;
}

/** Counted attempts of one kind, with their first and last time. */
interface AttemptSum {
  count: number;
  /** Time of the first attempt in Unix seconds. `last_time` is that of the last attempt. */
  create_time: number;
  last_time: number;
  /** IP address of the client, or '' if the attempts came from several IP addresses. */
  address: string;
}

export interface CountedAttempt extends AuditedAttempt, AttemptSum {
  /** Hour of the attempts, as the number of hours since 1970. */
  hour: number;
}

type AttemptRow = Insertable<AuditLogTable> & AttemptSum & { attempt_key: string };

interface AttemptedAccount {
  id: number;
  username: string;
}

interface AttemptedAccounts {
  actor: AttemptedAccount | undefined;
  /** Undefined if the attempt concerns the actor's own account. */
  target: AttemptedAccount | undefined;
}

/**
 * Maximum number of rows per hour and process for refused attempts at accounts. Beyond the limit, attempts are
 * counted without their accounts.
 */
const maxRefused = 2000;
const secondsPerDay = 86_400;
/**
 * Maximum number of rows of refused attempts and of attempts without an account. The limit keeps an attack from
 * filling the disk.
 */
const maxRows = 100_000;

/** Returns a function that adds counted attempts to the audit log. If the function throws, no attempt was counted. */
export function createWriteAuditAttempts({ db }: Deps) {
  const refused = new Set<string>();
  let hour = 0;

  function hasRoom({ actor_id, outcome, attempt_key }: AttemptRow): boolean {
    if (actor_id === null || outcome === 'succeeded' || refused.has(attempt_key)) return true;
    return refused.size < maxRefused && Boolean(refused.add(attempt_key));
  }

  return async (attempts: CountedAttempt[]): Promise<void> => {
    const accountFor = await findAccounts(db.kysely, attempts);
    const rows = new Map<string, AttemptRow>();
    for (const counted of attempts) {
      if (counted.hour !== hour) refused.clear();
      hour = counted.hour;
      let row = createRow(counted, accountFor(counted));
      if (!hasRoom(row)) row = createRow(counted, { actor: undefined, target: undefined });
      const before = rows.get(row.attempt_key);
      rows.set(row.attempt_key, before ? addAttemptCounts(before, row) : row);
    }
    await db.kysely
      .insertInto('audit_log')
      // Write the audit rows in the order of their keys, so that two processes do not deadlock.
      .values([...rows.keys()].sort().map((key) => rows.get(key)!))
      .onConflict((conflict) =>
        conflict.column('attempt_key').doUpdateSet({
          count: sql`audit_log.count + excluded.count`,
          last_time: sql`excluded.last_time`,
          address: sql`CASE WHEN audit_log.address = excluded.address THEN excluded.address ELSE '' END`,
        }),
      )
      .execute();
  };
}

async function findAccounts(kysely: Deps['db']['kysely'], attempts: CountedAttempt[]) {
  const ids = attempts.flatMap(({ account, owner }) => [account ?? [], owner ?? []].flat());
  const emails = attempts.flatMap(({ email }) => (email ? [foldText(email)] : []));
  const users = await kysely
    .selectFrom('users')
    .select(['id', 'username', 'email_key'])
    .where((is) => is.or([is('id', 'in', [0, ...ids]), is('email_key', 'in', ['', ...emails])]))
    .execute();
  return ({ account, owner, email }: CountedAttempt): AttemptedAccounts => ({
    actor: users.find(
      ({ id, email_key }) => id === account || (email !== '' && email_key === foldText(email)),
    ),
    target: users.find(({ id }) => id === (owner ?? 0)),
  });
}

/**
 * Adds two counts of attempts. The counts of a failed write return after later ones, so either count may be the
 * earlier.
 */
export function addAttemptCounts<Some extends AttemptSum>(one: Some, other: Some): Some {
  return {
    ...one,
    count: one.count + other.count,
    create_time: Math.min(one.create_time, other.create_time),
    last_time: Math.max(one.last_time, other.last_time),
    address: one.address === other.address ? one.address : '',
  };
}

/**
 * Returns the audit row of an attempt, without any typed text. The row names the account by its id and current
 * name, or no account.
 */
function createRow(
  { hour, action, outcome, reason, email: _, account: __, owner: ___, ...counted }: CountedAttempt,
  { actor, target = actor }: AttemptedAccounts,
): AttemptRow {
  const { id, username } = actor ?? { id: 0, username: '' };
  const targetId = target?.id ?? 0;
  return {
    ...counted,
    action,
    outcome,
    actor_id: id || null,
    actor: username,
    actor_key: foldText(username),
    target_type: 'user',
    target_id: targetId,
    target: target?.username ?? '',
    details: JSON.stringify(reason === '' ? {} : { reason }),
    attempt_key: JSON.stringify([hour, action, outcome, reason, id, ...(targetId === id ? [] : [targetId])]),
  };
}

function isBounded(is: ExpressionBuilder<Tables, 'audit_log'>) {
  return is.or([is('outcome', '!=', 'succeeded'), is('actor_id', 'is', null)]);
}

/**
 * Deletes old attempts from the audit log and keeps all acts. The maintenance run calls this function. Returns the
 * number of deleted rows.
 */
export async function purgeOldAuditAttempts({ db, clock, config }: Deps): Promise<number> {
  const surplus = await db
    .slow()
    .selectFrom('audit_log')
    .select('create_time')
    .where('attempt_key', 'is not', null)
    .where((is) => isBounded(is))
    .orderBy('create_time', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .offset(maxRows)
    .executeTakeFirst();
  const { numDeletedRows } = await db.kysely
    .deleteFrom('audit_log')
    .where('attempt_key', 'is not', null)
    .where((is) =>
      is.or([
        is('create_time', '<=', clock() - config.attemptDays * secondsPerDay),
        is.and([isBounded(is), is('create_time', '<=', surplus?.create_time ?? -1)]),
      ]),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
