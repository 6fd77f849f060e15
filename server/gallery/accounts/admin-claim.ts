/**
 * Reads from the OpenID provider's claims whether a user is an admin (OIDC_ADMIN_CLAIM), and applies the answer at
 * each accepted sign-in.
 */
import type { Deps } from '../../deps.ts';
import { UserStatus } from '../../platform/db/states.ts';
import type { Transaction } from '../../platform/db/tables.ts';
import { recordOwnAccountAct } from '../moderation/audit.ts';
import { lockUserAndAdmins } from './last-admin.ts';

/** Returns whether the claims make the user an admin, or null if no admin claim is configured. */
export function isAdminByClaims(
  { config }: Pick<Deps, 'config'>,
  claims: Record<string, unknown>,
): boolean | null {
  const wanted = config.oidc?.adminClaim;
  if (!wanted) return null;
  const claim = claims[wanted.name];
  // If the settings name no value for the admin claim, the claim itself must be true.
  if (wanted.value === undefined) return claim === true;
  return Array.isArray(claim) ? claim.includes(wanted.value) : claim === wanted.value;
}

/**
 * Makes the account an admin or takes that right away, as the OpenID provider's admin claim says. The last admin
 * stays an admin.
 */
export async function applyAdminClaim(
  deps: Deps,
  transaction: Transaction,
  userId: number,
  isAdmin: boolean | null,
): Promise<void> {
  if (isAdmin === null) return;
  const { user, isLastAdmin } = await lockUserAndAdmins(transaction, userId);
  if (user.status !== UserStatus.enabled) return;
  if (isAdmin === (user.is_admin === 1) || (!isAdmin && isLastAdmin)) return;
  await transaction
    .updateTable('users')
    .set({ is_admin: Number(isAdmin) })
    .where('id', '=', userId)
    .execute();
  await recordOwnAccountAct(deps, transaction, userId, 'user.update', { is_admin: isAdmin, oidc: true });
}
