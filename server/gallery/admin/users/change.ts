/** Changes an account on behalf of an admin or the command line. */

import type { Deps } from '../../../deps.ts';
import { type AccountStatus, UserStatus } from '../../../platform/db/states.ts';
import type { Transaction, UserRow } from '../../../platform/db/tables.ts';
import type { Language } from '../../../platform/http/language.ts';
import { deleteSecondFactor } from '../../accounts/factor/totp.ts';
import {
  noRevokedCredentials,
  type RevokedCredentialCounts,
  revokeCredentials,
  toRevokedCredentialDetails,
} from '../../accounts/keys/revoke-access.ts';
import { lockUserAndAdmins, refuseFormerAdmin, refuseLastAdmin } from '../../accounts/last-admin.ts';
import { deleteSignInChallenges } from '../../accounts/links.ts';
import { queueSecurityNotice } from '../../accounts/notify-owner.ts';
import { savePassword } from '../../accounts/password.ts';
import { deleteSessions } from '../../identity/sessions.ts';
import { type Actor, recordAuditedAct } from '../../moderation/audit.ts';
import { setUserStatus } from '../../users/follows/follows.ts';

const megabyte = 1024 * 1024;

export interface UserChange {
  status?: AccountStatus | undefined;
  is_admin?: boolean | undefined;
  /** Quota in megabytes, or null for no limit. */
  quota_mb?: number | null | undefined;
  /** Hash of the account's new password, which ends all sessions but no API keys, like a change by the user. */
  passwordHash?: string | undefined;
  end_keys?: boolean | undefined;
  /** Whether to turn off the second factor, for an owner who has lost the app and the recovery codes. */
  end_factor?: boolean | undefined;
}

/**
 * Changes an account and notifies its owner of security changes by mail in `language`. Missing fields stay
 * unchanged. Returns the keys that were revoked. Throws userNotFound or lastAdmin without any change.
 */
export async function changeUser(
  deps: Deps,
  actor: Actor,
  id: number,
  change: UserChange,
  language: Language = 'en',
): Promise<RevokedCredentialCounts> {
  return deps.db.kysely.transaction().execute(async (transaction) => {
    const locked = await lockUserAndAdmins(transaction, id);
    const { user } = locked;
    if (change.is_admin === false) refuseLastAdmin(locked, 'demoted');
    if (change.status === UserStatus.disabled) refuseLastAdmin(locked, 'disabled');
    refuseFormerAdmin(locked, actor);
    const columns = changedColumns(user, change);
    if (Object.keys(columns).length > 0) {
      await transaction.updateTable('users').set(columns).where('id', '=', id).execute();
    }
    if (change.status !== undefined) await changeStatus(deps, transaction, id, change.status);
    if (change.passwordHash !== undefined) await savePassword(transaction, id, change.passwordHash);
    const ended = change.end_keys
      ? await revokeCredentials(deps, transaction, id, language)
      : noRevokedCredentials;
    const hasEnded = change.end_factor === true && (await deleteSecondFactor(transaction, id));
    if (change.passwordHash !== undefined)
      await queueSecurityNotice(deps, transaction, id, { kind: 'password_changed', language });
    if (hasEnded) await queueSecurityNotice(deps, transaction, id, { kind: 'factor_off', language });
    const details = {
      ...describeChanges(user, change),
      ...toRevokedCredentialDetails(ended),
      ...(hasEnded && { second_factor: false }),
    };
    if (Object.keys(details).length > 0) {
      const target = { type: 'user', id, name: user.username } as const;
      await recordAuditedAct(deps, transaction, actor, { action: 'user.update', target, details });
    }
    return ended;
  });
}

/** Disables an account within the transaction of a larger operation. Throws userNotFound or lastAdmin. */
export async function disableUser(
  deps: Deps,
  transaction: Transaction,
  actor: Actor,
  id: number,
): Promise<void> {
  const locked = await lockUserAndAdmins(transaction, id);
  refuseLastAdmin(locked, 'disabled');
  refuseFormerAdmin(locked, actor);
  const { user } = locked;
  if (user.status === UserStatus.disabled) return;
  await changeStatus(deps, transaction, id, UserStatus.disabled);
  await recordAuditedAct(deps, transaction, actor, {
    action: 'user.update',
    target: { type: 'user', id, name: user.username },
    details: { status: UserStatus.disabled },
  });
}

function changedColumns(user: UserRow, { is_admin, quota_mb }: UserChange) {
  const quota = quota_mb === null ? null : (quota_mb ?? 0) * megabyte;
  return {
    ...(is_admin !== undefined && Number(is_admin) !== user.is_admin && { is_admin: Number(is_admin) }),
    ...(quota_mb !== undefined && quota !== user.quota_bytes && { quota_bytes: quota }),
  };
}

async function changeStatus(
  deps: Deps,
  transaction: Transaction,
  id: number,
  status: AccountStatus,
): Promise<void> {
  await setUserStatus(deps, transaction, id, status);
  if (status !== UserStatus.disabled) return;
  await deleteSessions(transaction, id);
  await deleteSignInChallenges(transaction, id);
}

/**
 * Returns the values that an admin changed, for the audit log. A new password appears only as the fact that it was
 * set.
 */
function describeChanges(user: UserRow, change: UserChange): Record<string, unknown> {
  const { is_admin, quota_bytes } = changedColumns(user, change);
  return {
    ...(change.status !== undefined && change.status !== user.status && { status: change.status }),
    ...(is_admin !== undefined && { is_admin: is_admin === 1 }),
    ...(quota_bytes !== undefined && { quota_mb: change.quota_mb }),
    ...(change.passwordHash !== undefined && { password: true }),
  };
}
