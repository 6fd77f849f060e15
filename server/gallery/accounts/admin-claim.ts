/**
 * Reads from the OpenID provider's claims whether a user is an admin (OIDC_ADMIN_CLAIM), and applies the answer at
 * each accepted sign-in.
 */
import type { OidcSettings } from '../../config-oidc.ts';
import type { Deps } from '../../deps.ts';
import { UserStatus } from '../../platform/db/states.ts';
import type { Transaction } from '../../platform/db/tables.ts';
import { recordOwnAccountAct } from '../moderation/audit.ts';
import { lockUserAndAdmins } from './last-admin.ts';

type Claims = Record<string, unknown>;

/**
 * Returns whether the claims make the user an admin, or null if no admin claim is configured or sent. A provider that
 * stops sending a claim must not take the rights of all admins.
 */
export function isAdminByClaims({ config }: Pick<Deps, 'config'>, claims: Claims): boolean | null {
  const wanted = config.oidc?.adminClaim;
  const claim = wanted && findClaim(claims, wanted.name);
  if (claim === undefined) return null;
  return holdsValue(claim, wanted!.value ?? 'true');
}

/** Returns whether an admin claim is configured and the claims lack it. */
export function lacksAdminClaim({ adminClaim }: Pick<OidcSettings, 'adminClaim'>, claims: Claims): boolean {
  return adminClaim !== undefined && findClaim(claims, adminClaim.name) === undefined;
}

/**
 * Returns a claim by its name. A dot leads into a nested claim (`realm_access.roles`), unless a claim has the dot in
 * its own name: some names are URLs. Null counts as absent.
 */
function findClaim(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name] ?? undefined;
  for (let at = name.indexOf('.'); at !== -1; at = name.indexOf('.', at + 1)) {
    const outer = Object.hasOwn(claims, name.slice(0, at)) ? claims[name.slice(0, at)] : undefined;
    const found = isObject(outer) ? findClaim(outer, name.slice(at + 1)) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns whether a claim is the value, a list with the value, or an object with the value as a name. */
function holdsValue(claim: unknown, value: string): boolean {
  if (Array.isArray(claim)) return claim.some((item) => isValue(item, value));
  return isObject(claim) ? Object.hasOwn(claim, value) : isValue(claim, value);
}

/** Some providers send `true` or a number as text, and others do not. */
function isValue(item: unknown, value: string): boolean {
  return ['string', 'boolean', 'number'].includes(typeof item) && String(item) === value;
}

function isObject(value: unknown): value is Claims {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
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
