/**
 * Deletes accounts. One short transaction marks the account: sign-in and all queries then treat it as absent, and
 * its name and email address are free. The account's content is deleted in batches (steps.ts), which continue after
 * a crash.
 */

import type { Deps } from '../../../deps.ts';
import { createBackgroundJob } from '../../../platform/concurrency/job.ts';
import { logLevelFor } from '../../../platform/db/dialect.ts';
import { queueRemovals } from '../../../platform/db/removals.ts';
import { UserStatus } from '../../../platform/db/states.ts';
import type { Transaction } from '../../../platform/db/tables.ts';
import { lockUserAndAdmins, refuseFormerAdmin, refuseLastAdmin } from '../../accounts/last-admin.ts';
import { type Actor, commandLineActor, getActorName, recordAuditedAct } from '../../moderation/audit.ts';
import { closeReports } from '../../moderation/reports.ts';
import { setUserStatus } from '../../users/follows/follows.ts';
import { trashAccountPhotos } from './library.ts';
import { eraseNextAccountBatch } from './steps.ts';

/** Name of the event that the database emits after an account was marked for deletion. */
const accountMarkedForDeletion = 'account marked';
const maxHideMs = 1000;
/**
 * Milliseconds until the deletion of accounts is retried after a database failure or a lock timeout. Waiting hours
 * for the next maintenance run would be too long.
 */
const retryMs = 15_000;

/** Deletes an account. Throws userNotFound or lastAdmin. */
export async function deleteUser(deps: Deps, actor: Actor, id: number): Promise<void> {
  await deps.db.kysely
    .transaction()
    .execute((transaction) => markAccountDeleted(deps, transaction, actor, id));
  await hideDeletedUserPhotos(deps, id);
}

/**
 * Marks an account for deletion within the given transaction. The job of `startErasingAccounts` deletes its content later.
 */
export async function markAccountDeleted(
  deps: Deps,
  transaction: Transaction,
  actor: Actor,
  id: number,
): Promise<void> {
  const locked = await lockUserAndAdmins(transaction, id);
  refuseLastAdmin(locked, 'deleted');
  // Users can delete their own account without being admins.
  if (actor === commandLineActor || actor.id !== id) refuseFormerAdmin(locked, actor);
  const { user } = locked;
  const handler = await getActorName(transaction, actor);
  // Disable the account first, so that the follow counts of other users no longer include it.
  await setUserStatus(deps, transaction, id, UserStatus.disabled);
  await transaction
    .updateTable('users')
    // Replace the unique keys of name and email by keys that no user can have: usernames contain no colon, and
    // email addresses contain an @.
    .set({
      status: UserStatus.deleting,
      is_admin: 0,
      avatar: '',
      username_key: `:${id}`,
      email_key: `:${id}`,
    })
    .where('id', '=', id)
    .execute();
  // Delete the visibility job as well, because the account's content will be deleted and need not be hidden.
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
  await recordAuditedAct(deps, transaction, actor, {
    action: 'user.delete',
    target: { type: 'user', id, name: user.username },
    details: { photos: await countPhotos(transaction, id), bytes: user.used_bytes },
  });
  deps.db.signal(transaction, accountMarkedForDeletion);
}

/**
 * Hides the photos of a deleted account for up to a second before the response is sent. The stored counts of months
 * would otherwise still include the photos (ADR 24). The background job hides the rest of a large account.
 */
export async function hideDeletedUserPhotos(deps: Deps, id: number): Promise<void> {
  const end = performance.now() + maxHideMs;
  try {
    while ((await trashAccountPhotos(deps, id)) > 0) if (performance.now() > end) return;
  } catch (error) {
    deps.log[logLevelFor(error)](
      { err: error, user: id },
      'an account could not be hidden yet, and is tried again',
    );
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

export interface ErasedAccountCounts {
  gone: number;
  /** Number of accounts that could not be deleted yet. */
  left: number;
}

/**
 * Deletes the content of all accounts that are marked for deletion, one after another. Several processes can run
 * the deletion at once.
 */
export async function eraseDeletedUsers(deps: Deps, stop?: AbortSignal): Promise<ErasedAccountCounts> {
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
      // Log the failure of one account and go on with the other accounts.
      erased.left++;
      deps.log[logLevelFor(error)](
        { err: error, user: user.id },
        'an account could not be deleted yet, and is tried again',
      );
    }
  }
  return erased;
}

/** Deletes the content of one account. Returns false if `stop` was aborted. */
async function eraseUser(deps: Deps, id: number, stop: AbortSignal | undefined): Promise<boolean> {
  while (!stop?.aborted) {
    const outcome = await eraseNextAccountBatch(deps, id);
    if (outcome === 'gone') return true;
  }
  return false;
}

/** Starts the background job that erases marked accounts, and returns a function that stops the job. */
export function startErasingAccounts(deps: Deps): () => Promise<void> {
  const job = createBackgroundJob({
    async run(stop) {
      const { left } = await eraseDeletedUsers(deps, stop);
      if (left > 0) throw new Error(`${left} accounts could not be deleted yet`);
    },
    on: { events: deps.db.events, event: accountMarkedForDeletion },
    retryMs,
    onError: (error) => deps.log.warn({ err: error }, 'accounts are waiting to be deleted'),
  });
  // Run once at the start, for accounts that were marked for deletion before the server stopped.
  job.start();
  return job.stop;
}
