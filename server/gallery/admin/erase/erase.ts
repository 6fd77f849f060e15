/**
 * Deleting an account. It is marked in one short transaction: from then on login and every query treat it as absent,
 * and its name and email are free. Its content is deleted in batches (steps.ts), which continue after a crash.
 */

import type { Deps } from '../../../deps.ts';
import { createJob } from '../../../platform/concurrency/job.ts';
import { levelOf } from '../../../platform/db/dialect.ts';
import { queueRemovals } from '../../../platform/db/removals.ts';
import { UserStatus } from '../../../platform/db/states.ts';
import type { Transaction } from '../../../platform/db/tables.ts';
import { lockAmongAdmins, refuseFormerAdmin, refuseLastAdmin } from '../../accounts/last-admin.ts';
import { type Actor, audit, commandLine, usernameOf } from '../../moderation/audit.ts';
import { closeReports } from '../../moderation/reports.ts';
import { setUserStatus } from '../../users/follows/follows.ts';
import { hidePhotos } from './library.ts';
import { eraseSome } from './steps.ts';

/** Event: an account was marked for deletion. */
const accountMarked = 'account marked';
const soonMs = 1000;
/** After a database that was away or a lock that took too long: hours until the next sweep would be long for who waits. */
const againMs = 15_000;

/** Throws userNotFound or lastAdmin. */
export async function deleteUser(deps: Deps, actor: Actor, id: number): Promise<void> {
  await deps.db.kysely.transaction().execute((transaction) => markDeleted(deps, transaction, actor, id));
  await hideSoon(deps, id);
}

/** Marks the account in the given transaction; `startErasing` does the rest. */
export async function markDeleted(
  deps: Deps,
  transaction: Transaction,
  actor: Actor,
  id: number,
): Promise<void> {
  const locked = await lockAmongAdmins(transaction, id);
  refuseLastAdmin(locked, 'deleted');
  // Everybody may leave.
  if (actor === commandLine || actor.id !== id) refuseFormerAdmin(locked, actor);
  const { user } = locked;
  const handler = await usernameOf(transaction, actor);
  // Its followers, and the users that it follows, count it no longer.
  await setUserStatus(deps, transaction, id, UserStatus.disabled);
  await transaction
    .updateTable('users')
    // No username has a colon, no email is without an @.
    .set({
      status: UserStatus.deleting,
      is_admin: 0,
      avatar: '',
      username_key: `:${id}`,
      email_key: `:${id}`,
    })
    .where('id', '=', id)
    .execute();
  // The last: what it holds is not hidden, it goes.
  for (const table of [
    'sessions',
    'api_keys',
    'passkeys',
    'factors',
    'recovery_codes',
    'identities',
    'shares',
    'webhooks',
    'visibility_jobs',
    'links',
    'mails',
  ] as const) {
    await transaction.deleteFrom(table).where('user_id', '=', id).execute();
  }
  if (user.avatar) await queueRemovals(transaction, [user.avatar], deps.clock());
  await closeReports(deps, transaction, { type: 'user', ids: [id] }, { action: 'delete', note: '', handler });
  await audit(deps, transaction, actor, {
    action: 'user.delete',
    target: { type: 'user', id, name: user.username },
    details: { photos: await countPhotos(transaction, id), bytes: user.used_bytes },
  });
  deps.db.signal(transaction, accountMarked);
}

/**
 * Before a deletion is answered: whoever opens the wall right afterwards finds no months of photos that are gone, which
 * kept counts tell until then (ADR 24). Of a large account the rest follows in the background.
 */
export async function hideSoon(deps: Deps, id: number): Promise<void> {
  const end = performance.now() + soonMs;
  try {
    while ((await hidePhotos(deps, id)) > 0) if (performance.now() > end) return;
  } catch (error) {
    deps.log[levelOf(error)]({ err: error, user: id }, 'an account could not be hidden yet');
  }
}

async function countPhotos(transaction: Transaction, id: number): Promise<number> {
  const { n } = await transaction
    .selectFrom('photo_totals')
    .select((is) => is.fn.sum<number | null>('n').as('n'))
    .where('user_id', '=', id)
    .executeTakeFirstOrThrow();
  return n ?? 0;
}

export interface Erased {
  gone: number;
  /** Those that could not be deleted yet. */
  left: number;
}

/** Ends what is marked, account by account. Safe to run in several processes. */
export async function eraseLeaving(deps: Deps, stop?: AbortSignal): Promise<Erased> {
  const erased = { gone: 0, left: 0 };
  for (let after = 0; !stop?.aborted; ) {
    const user = await deps.db.kysely
      .selectFrom('users')
      .select('id')
      .where((is) => is('status', '=', is.lit(UserStatus.deleting)))
      .where('id', '>', after)
      .orderBy('id')
      .limit(1)
      .executeTakeFirst();
    if (!user) break;
    after = user.id;
    try {
      if (await eraseUser(deps, user.id, stop)) erased.gone++;
    } catch (error) {
      // The others do not wait for it.
      erased.left++;
      deps.log[levelOf(error)]({ err: error, user: user.id }, 'an account could not be deleted yet');
    }
  }
  return erased;
}

/** False when it was stopped. */
async function eraseUser(deps: Deps, id: number, stop: AbortSignal | undefined): Promise<boolean> {
  while (!stop?.aborted) {
    const outcome = await eraseSome(deps, id);
    if (outcome === 'gone') return true;
  }
  return false;
}

/** Erases marked accounts until the function that it returns is called. */
export function startErasing(deps: Deps): () => Promise<void> {
  const job = createJob({
    async run(stop) {
      const { left } = await eraseLeaving(deps, stop);
      if (left > 0) throw new Error(`${left} accounts could not be deleted yet`);
    },
    on: { events: deps.db.events, event: accountMarked },
    retryMs: againMs,
    onError: (error) => deps.log.warn({ err: error }, 'accounts wait to be deleted'),
  });
  // Accounts that a stop left.
  job.start();
  return job.stop;
}
