/**
 * Implements the second step of a sign-in. After the right password, the server returns a challenge that is valid
 * for a few minutes, but no session yet.
 */
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../../deps.ts';
import { clientAddress } from '../../../platform/connections/address.ts';
import { UserStatus } from '../../../platform/db/states.ts';
import type { Transaction, UserRow } from '../../../platform/db/tables.ts';
import { ApiError, errors } from '../../../platform/errors/catalogue.ts';
import { type Language, languageOf } from '../../../platform/http/language.ts';
import { createThrottle } from '../../../platform/http/rate-limiters.ts';
import type { SharedLimits } from '../../../platform/http/shared-limits.ts';
import { hasSessionFromAddress } from '../../identity/sessions.ts';
import { getUser, lockEnabledUser } from '../../identity/users.ts';
import { applyAdminClaim } from '../admin-claim.ts';
import { lockUserAndAdmins } from '../last-admin.ts';
import { findLinkedUser, isLinkedToProvider, linkIdentity, type OidcSubject } from '../linked-identities.ts';
import { createOneTimeLink, findOneTimeLink, redeemOneTimeLink } from '../links.ts';
import { queueSecurityNotice } from '../notify-owner.ts';
import { hasChallengeCookie } from './challenge-cookie.ts';
import { hasSecondFactor, verifySecondFactor } from './totp.ts';

const challengeSeconds = 300;
/**
 * Maximum number of wrong codes per minute and account, for all challenges and IP addresses together. Trying a million
 * codes takes weeks within the limit. The limit is lower without a session of the account, so that an attacker
 * with the password cannot use up the owner's attempts.
 */
const wrongCodesPerAccount = 10;
const wrongCodesFromStrangers = 7;

/**
 * Throws secondFactor with a challenge if the account has a second factor. Callers have already checked the
 * password or the OpenID provider's answer. `person` is the provider's identity and admin claim, which the right
 * code applies to the account. Throws wrongLogin if the account was disabled or its password changed after `user`
 * was read.
 */
export async function requireSecondFactor(
  deps: Deps,
  user: Pick<UserRow, 'id' | 'password_hash'>,
  person: OidcSubject & { isAdmin: boolean | null } = { iss: '', sub: '', isAdmin: null },
): Promise<void> {
  if (!(await hasSecondFactor(deps.db, user.id))) return;
  const is_admin = person.isAdmin === null ? null : Number(person.isAdmin);
  const whom = { issuer: person.iss, subject: person.sub, is_admin };
  const expire_time = deps.clock() + challengeSeconds;
  const challenge = await deps.db.kysely.transaction().execute(async (transaction) => {
    // A new password ends all challenges. Lock the account, so that no challenge for the old password is created
    // after the change.
    const now = await lockEnabledUser(transaction, user.id);
    if (now?.password_hash !== user.password_hash) throw errors.wrongLogin();
    return createOneTimeLink(deps, transaction, { kind: 'second', user_id: user.id, expire_time, ...whom });
  });
  throw errors.secondFactor({ data: { challenge, expires_in: challengeSeconds } });
}

/**
 * Returns a function that completes a sign-in with a code of the second factor. The function throws wrongLogin for
 * an expired challenge, wrongCode, accountDisabled or tooManyRequests.
 */
export function createFinishSecondStep(deps: Deps, shared: SharedLimits) {
  const all = createThrottle(shared, 'second-factor', wrongCodesPerAccount);
  const strangers = createThrottle(shared, 'second-factor-account', wrongCodesFromStrangers);

  return async (
    { challenge, code }: { challenge: string; code: string },
    request: FastifyRequest,
  ): Promise<UserRow> => {
    const link = await findOneTimeLink(deps, deps.db.kysely, 'second', challenge);
    if (!link?.user_id) throw signInExpiredError();
    if (link.subject !== '' && !hasChallengeCookie(deps, request, challenge)) throw signInExpiredError();
    request.attempt.account = link.user_id;
    const account = String(link.user_id);
    const ip = clientAddress(request);
    const isStranger = !(await hasSessionFromAddress(deps, link.user_id, ip));
    // Count the attempt before checking the code, so that parallel attempts cannot exceed the limit. The limit for
    // strangers comes first, so a refused stranger does not use the shared limit.
    if (isStranger) await strangers.consume(account);
    await all.consume(account);
    const user = await getUser(deps, link.user_id);
    const language = languageOf(request);
    await deps.db.kysely.transaction().execute(async (transaction) => {
      // If the provider's admin claim applies, lock all admins together in one order, because the claim needs all
      // of them.
      if (link.is_admin !== null) await lockUserAndAdmins(transaction, user.id).catch(throwAsExpired);
      const isEnabled = (await lockEnabledUser(transaction, user.id)) !== undefined;
      await verifySecondFactor(deps, transaction, user, { code, language });
      const used = await redeemOneTimeLink(deps, transaction, 'second', challenge).catch(throwAsExpired);
      const { issuer, subject, is_admin } = used;
      const person = { iss: issuer, sub: subject };
      if (subject === '' || !isEnabled) return;
      await linkProvenIdentity(deps, transaction, user, { person, language });
      // The admin claim applies only after the account is linked. Without the link, a matching email address must
      // not change admin rights.
      await applyAdminClaim(deps, transaction, user.id, is_admin === null ? null : is_admin === 1);
    });
    await all.refund(account);
    if (isStranger) await strangers.refund(account);
    if (user.status !== UserStatus.enabled) throw errors.accountDisabled();
    return user;
  };
}

/**
 * Links the account to an identity at the provider after the second factor. Throws wrongLogin if the account or the
 * identity was linked otherwise meanwhile.
 */
async function linkProvenIdentity(
  deps: Deps,
  transaction: Transaction,
  { id }: UserRow,
  { person, language }: { person: OidcSubject; language: Language },
): Promise<void> {
  const tied = await findLinkedUser(transaction, person);
  if (tied === id) return;
  if (tied !== undefined || (await isLinkedToProvider(transaction, id, person.iss)))
    throw signInExpiredError();
  await linkIdentity(deps, transaction, id, person);
  await queueSecurityNotice(deps, transaction, id, { kind: 'oidc_connected', language });
}

/**
 * Converts an API error to the error of an expired sign-in challenge: another request used the challenge, or the
 * account is being deleted.
 */
function throwAsExpired(error: unknown): never {
  throw error instanceof ApiError ? signInExpiredError() : error;
}

function signInExpiredError(): Error {
  return errors.wrongLogin({ message: 'This sign-in step has expired or was already used. Sign in again.' });
}
