/** `lightwell user promote, demote, disable, enable`. One admin who can log in always remains. */
import type { Transaction } from 'kysely';
import { endSessions } from '../auth/sessions.ts';
import type { Tables, UserRow } from '../db/tables.ts';
import { setUserStatus } from '../users/follows.ts';
import { CommandError } from './failure.ts';
import { getUserByName, withDeps } from './run.ts';

export function promoteUser(name: string): Promise<void> {
  return change(name, 'is now an admin', (transaction, user) => update(transaction, user, { is_admin: 1 }));
}

export function demoteUser(name: string): Promise<void> {
  return change(name, 'is no longer an admin', async (transaction, user) => {
    await refuseLastAdmin(transaction, user, 'demoted');
    await update(transaction, user, { is_admin: 0 });
  });
}

export function disableUser(name: string): Promise<void> {
  return change(name, 'is disabled; all sessions of the account have ended', async (transaction, user) => {
    await refuseLastAdmin(transaction, user, 'disabled');
    await setUserStatus(transaction, user.id, 0);
    await endSessions(transaction, user.id);
  });
}

export function enableUser(name: string): Promise<void> {
  return change(name, 'can log in again', (transaction, user) => setUserStatus(transaction, user.id, 1));
}

type Change = (transaction: Transaction<Tables>, user: UserRow) => Promise<void>;

function change(name: string, outcome: string, work: Change): Promise<void> {
  return withDeps(async (deps) => {
    const user = await getUserByName(deps, name);
    await deps.db.kysely.transaction().execute((transaction) => work(transaction, user));
    console.log(`${user.username} ${outcome}.`);
  });
}

async function update(
  transaction: Transaction<Tables>,
  { id }: UserRow,
  state: { is_admin: 0 | 1 },
): Promise<void> {
  await transaction.updateTable('users').set(state).where('id', '=', id).execute();
}

async function refuseLastAdmin(transaction: Transaction<Tables>, user: UserRow, what: string): Promise<void> {
  // Changes nothing, but locks the admins' rows on both databases: of two demotions at once, one waits.
  const admins = await transaction
    .updateTable('users')
    .set({ is_admin: 1 })
    .where('is_admin', '=', 1)
    .where('status', '=', 1)
    .returning('id')
    .execute();
  if (admins.length === 1 && admins[0]!.id === user.id) {
    throw new CommandError(`${user.username} is the last admin and cannot be ${what}`);
  }
}
