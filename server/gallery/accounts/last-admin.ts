/** One admin who can log in always remains: asked by everything that demotes, disables or deletes. */

import { sql } from 'kysely';
import { idsOf } from '../../platform/db/rows.ts';
import { UserStatus } from '../../platform/db/states.ts';
import type { Transaction, UserRow } from '../../platform/db/tables.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import { type Actor, commandLine } from '../moderation/audit.ts';

export interface LockedUser {
  user: UserRow;
  isLastAdmin: boolean;
  /** Those who are admins and not disabled, now that all of them are locked. */
  adminIds: number[];
}

/**
 * Locks the user together with all admins, in the order of their ids: of two admins who demote each other, the
 * second sees what the first did. Throws userNotFound, also for an account that is being deleted.
 *
 * By ids that were read before: with a subquery in their place PostgreSQL, which asks conditions anew of a row that it
 * waited for, lost such rows, and an account that was just being changed did not exist.
 */
export async function lockAmongAdmins(transaction: Transaction, id: number): Promise<LockedUser> {
  const before = await transaction
    .selectFrom('users')
    .select('id')
    .where('is_admin', '=', sql.lit(1))
    .execute();
  const locked = await transaction
    .selectFrom('users')
    .selectAll()
    .where('id', 'in', [...idsOf(before), id])
    .orderBy('id')
    .forUpdate()
    .execute();
  const user = locked.find((row) => row.id === id);
  if (!user || user.status === UserStatus.deleting) throw errors.userNotFound();
  const admins = locked.filter(({ is_admin, status }) => is_admin === 1 && status === UserStatus.enabled);
  const adminIds = admins.map((admin) => admin.id);
  return { user, isLastAdmin: admins.length === 1 && admins[0]!.id === id, adminIds };
}

/**
 * All admins, before an account is made that will be asked for among them: whoever has them already may wait for what the
 * new account takes, its invite or its email.
 */
export async function lockAdmins(transaction: Transaction): Promise<void> {
  await transaction
    .selectFrom('users')
    .select('id')
    .where('is_admin', '=', sql.lit(1))
    .orderBy('id')
    .forUpdate()
    .execute();
}

/**
 * Throws forbidden: an admin who was demoted since the request was let in, perhaps by this very account, decides no
 * more.
 */
export function refuseFormerAdmin({ adminIds }: LockedUser, actor: Actor): void {
  if (actor !== commandLine && !adminIds.includes(actor.id)) throw errors.forbidden();
}

/** Throws lastAdmin. */
export function refuseLastAdmin({ user, isLastAdmin }: LockedUser, what: string): void {
  if (!isLastAdmin) return;
  throw errors.lastAdmin({ message: `${user.username} is the last admin and cannot be ${what}` });
}
