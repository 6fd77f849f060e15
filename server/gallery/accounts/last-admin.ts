/**
 * Ensures that one admin who can sign in always remains. Every demotion, disabling and deletion of an account calls
 * this code.
 */

import { sql } from 'kysely';
import { idsOf } from '../../platform/db/rows.ts';
import { UserStatus } from '../../platform/db/states.ts';
import type { Transaction, UserRow } from '../../platform/db/tables.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import { type Actor, commandLineActor } from '../moderation/audit.ts';

export interface LockedUser {
  user: UserRow;
  isLastAdmin: boolean;
  /** Ids of all enabled admins, read after all of them were locked. */
  adminIds: number[];
}

/**
 * Locks the user and all admins in the order of their ids. If two admins demote each other, the second
 * therefore sees the first change. Throws userNotFound, also for an account that is being deleted.
 *
 * The ids come from an earlier query and not from a subquery. PostgreSQL checks the condition of a subquery again
 * after waiting for a row, and then loses rows that have just changed.
 */
export async function lockUserAndAdmins(transaction: Transaction, id: number): Promise<LockedUser> {
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
 * Locks all admins before an account is created that an admin claim may promote. Without this order, a transaction
 * that holds the admins could wait for the invite or email address of the new account.
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

/** Throws forbidden if the acting admin was demoted after the request started, perhaps by the account to change. */
export function refuseFormerAdmin({ adminIds }: LockedUser, actor: Actor): void {
  if (actor !== commandLineActor && !adminIds.includes(actor.id)) throw errors.forbidden();
}

/** Throws lastAdmin if the user is the last admin. */
export function refuseLastAdmin({ user, isLastAdmin }: LockedUser, what: string): void {
  if (!isLastAdmin) return;
  throw errors.lastAdmin({ message: `${user.username} is the last admin and cannot be ${what}` });
}
