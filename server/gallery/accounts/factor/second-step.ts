/** The second step of signing in: after the right password a challenge, which is good for a few minutes and no session. */
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../../deps.ts';
import { addressOf } from '../../../platform/connections/address.ts';
import { UserStatus } from '../../../platform/db/states.ts';
import type { Transaction, UserRow } from '../../../platform/db/tables.ts';
import { ApiError, errors } from '../../../platform/errors/catalogue.ts';
import { type Language, languageOf } from '../../../platform/http/language.ts';
import { createThrottle } from '../../../platform/http/rate-limiters.ts';
import type { Shared } from '../../../platform/http/shared.ts';
import { hasSessionFrom } from '../../identity/sessions.ts';
import { getUser, lockEnabled } from '../../identity/users.ts';
import { followAdminClaim } from '../admin-claim.ts';
import { lockAmongAdmins } from '../last-admin.ts';
import { findLink, makeLink, useLink } from '../links.ts';
import { tellOwner } from '../safety.ts';
import { findTied, isTiedAt, type Person, tie } from '../ties.ts';
import { hasChallenge } from './own-browser.ts';
import { hasFactor, useSecondFactor } from './totp.ts';

const lifetime = 300;
/**
 * Codes a minute of an account, right ones not counted, whatever the challenge and the address: a million codes last for
 * weeks. Of these, places that it has no session from have fewer: who knows the password and tries from there does not
 * use up the tries of the owner, who is signed in elsewhere.
 */
const perAccount = 10;
const perAccountFromStrangers = 7;

/**
 * Throws secondFactor, with the challenge, where the account has one. Asked only after the right password, or after the
 * OpenID provider: `person` is who it says, whom the right code ties the account to, and whether they are an admin, which
 * is followed then. Throws wrongLogin where the account was disabled or got another password since `user` was read.
 */
export async function demandSecondFactor(
  deps: Deps,
  user: Pick<UserRow, 'id' | 'password_hash'>,
  person: Person & { isAdmin: boolean | null } = { iss: '', sub: '', isAdmin: null },
): Promise<void> {
  if (!(await hasFactor(deps.db, user.id))) return;
  const is_admin = person.isAdmin === null ? null : Number(person.isAdmin);
  const whom = { issuer: person.iss, subject: person.sub, is_admin };
  const expire_time = deps.clock() + lifetime;
  const challenge = await deps.db.kysely.transaction().execute(async (transaction) => {
    // A new password ends all challenges: one for the old password must not come after that.
    const now = await lockEnabled(transaction, user.id);
    if (now?.password_hash !== user.password_hash) throw errors.wrongLogin();
    return makeLink(deps, transaction, { kind: 'second', user_id: user.id, expire_time, ...whom });
  });
  throw errors.secondFactor({ data: { challenge, expires_in: lifetime } });
}

/** What it makes throws wrongLogin (a challenge that is over), wrongCode, accountDisabled or tooManyRequests. */
export function createSecondStep(deps: Deps, shared: Shared) {
  const all = createThrottle(shared, 'second-factor', perAccount);
  const strangers = createThrottle(shared, 'second-factor-account', perAccountFromStrangers);

  return async (
    { challenge, code }: { challenge: string; code: string },
    request: FastifyRequest,
  ): Promise<UserRow> => {
    const link = await findLink(deps, deps.db.kysely, 'second', challenge);
    if (!link?.user_id) throw over();
    if (link.subject !== '' && !hasChallenge(deps, request, challenge)) throw over();
    request.attempt.account = link.user_id;
    const account = String(link.user_id);
    const ip = addressOf(request);
    const isStranger = !(await hasSessionFrom(deps, link.user_id, ip));
    // Consumed before the code is looked at: a burst cannot slip past the count. Who is refused as a stranger takes
    // none of the others.
    if (isStranger) await strangers.consume(account);
    await all.consume(account);
    const user = await getUser(deps, link.user_id);
    const language = languageOf(request);
    await deps.db.kysely.transaction().execute(async (transaction) => {
      // Of several at once, in one order: the claim asks for all of them.
      if (link.is_admin !== null) await lockAmongAdmins(transaction, user.id).catch(elseOver);
      const isEnabled = (await lockEnabled(transaction, user.id)) !== undefined;
      await useSecondFactor(deps, transaction, user, { code, language });
      const used = await useLink(deps, transaction, 'second', challenge).catch(elseOver);
      const { issuer, subject, is_admin } = used;
      const person = { iss: issuer, sub: subject };
      if (subject === '' || !isEnabled) return;
      await tieProven(deps, transaction, user, { person, language });
      // Not before: who has only the email there neither makes the account an admin nor takes that from it.
      await followAdminClaim(deps, transaction, user.id, is_admin === null ? null : is_admin === 1);
    });
    await all.refund(account);
    if (isStranger) await strangers.refund(account);
    if (user.status !== UserStatus.enabled) throw errors.accountDisabled();
    return user;
  };
}

/** Somebody else may have been tied to them meanwhile. Throws wrongLogin then. */
async function tieProven(
  deps: Deps,
  transaction: Transaction,
  { id }: UserRow,
  { person, language }: { person: Person; language: Language },
): Promise<void> {
  const tied = await findTied(transaction, person);
  if (tied === id) return;
  if (tied !== undefined || (await isTiedAt(transaction, id, person.iss))) throw over();
  await tie(deps, transaction, id, person);
  await tellOwner(deps, transaction, id, { kind: 'oidc_connected', language });
}

/** It was used, or the account is being deleted since it was looked for. */
function elseOver(error: unknown): never {
  throw error instanceof ApiError ? over() : error;
}

function over(): Error {
  return errors.wrongLogin({ message: 'Log in again: this took too long, or was used already' });
}
