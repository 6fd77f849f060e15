/** `lightwell user promote, demote, disable, enable`. One admin who can log in always remains. */

import { changeUser, type UserChange } from '../../../gallery/admin/users/change.ts';
import { moveLibraries } from '../../../gallery/library/account-moves.ts';
import { commandLine } from '../../../gallery/moderation/audit.ts';
import { UserStatus } from '../../../platform/db/states.ts';
import { getUserByName, withDeps } from '../run.ts';

export function promoteUser(name: string): Promise<void> {
  return change(name, { is_admin: true }, 'is now an admin');
}

export function demoteUser(name: string): Promise<void> {
  return change(name, { is_admin: false }, 'is no longer an admin');
}

export function disableUser(name: string): Promise<void> {
  return change(name, { status: UserStatus.disabled }, 'is disabled; all sessions of the account have ended');
}

export function enableUser(name: string): Promise<void> {
  return change(name, { status: UserStatus.enabled }, 'can log in again');
}

function change(name: string, state: UserChange, outcome: string): Promise<void> {
  return withDeps(async (deps) => {
    const user = await getUserByName(deps, name);
    await changeUser(deps, commandLine, user.id, state);
    if (state.status !== undefined) await moveLibraries(deps);
    console.log(`${user.username} ${outcome}.`);
  });
}
