/**
 * Whose account it is that signs in by the provider. The provider's name for a person (`sub`) ties them to an account for
 * good, whatever becomes of their address; an address alone does so only where both sides have seen it confirmed.
 */
import type { Deps } from '../../../deps.ts';
import { fold } from '../../../platform/db/fold.ts';
import { UserStatus } from '../../../platform/db/states.ts';
import type { Transaction, UserRow } from '../../../platform/db/tables.ts';
import { ApiError, errors } from '../../../platform/errors/catalogue.ts';
import { hasEmailFormat } from '../../../platform/http/ajv.ts';
import type { Language } from '../../../platform/http/language.ts';
import type { RequestAttempt } from '../../identity/attempts/watch.ts';
import { hasSession } from '../../identity/sessions.ts';
import { getUser, lockEnabled } from '../../identity/users.ts';
import { auditOwn } from '../../moderation/audit.ts';
import { followAdminClaim, isAdminBy } from '../admin-claim.ts';
import { demandSecondFactor } from '../factor/second-step.ts';
import { hasFactor } from '../factor/totp.ts';
import { lockAdmins, lockAmongAdmins } from '../last-admin.ts';
import { lockProven } from '../password.ts';
import type { JoinLink } from '../registration/may-join.ts';
import { tellOwner } from '../safety.ts';
import { makeFirstAdmin } from '../setup.ts';
import { endTies, findTied, isTiedAt, noteTieUse, tie } from '../ties.ts';
import { connectByHand, makeAccount } from './make-account.ts';
import type { Claims as Given } from './provider.ts';

/** What the provider says, and the language of who signs in. */
type Claims = Given & { language: Language };

interface Found {
  id: number;
  /** The email alone does not enter it: its second factor has to. */
  asksFactor: boolean;
}

/**
 * The account, made where there is none and the settings or the link let it in. Throws secondFactor, accountDisabled,
 * emailTaken, registrationClosed (also for a link that is not good) or forbidden.
 */
export async function accountOf(
  deps: Deps,
  said: Claims,
  { attempt, link }: { attempt: RequestAttempt; link: JoinLink },
): Promise<UserRow> {
  const claims = { ...said, email: isEmail(said.email) ? said.email : undefined };
  const { user, asksFactor } = await unlessTiedMeanwhile(deps, claims, async (transaction) => {
    const found = await findAccount(deps, transaction, claims, link);
    if (!found.asksFactor) {
      // Before the claim: it takes nothing from the last admin.
      if (link.setup !== undefined) await takeSetup(deps, transaction, found.id, link.setup);
      await followAdminClaim(deps, transaction, found.id, isAdminBy(deps, claims));
    }
    // As it is with this tie: a session that begins after a new password has to see that one (startSession).
    return { user: await getUser({ db: { kysely: transaction } }, found.id), asksFactor: found.asksFactor };
  });
  attempt.account = user.id;
  if (user.status !== UserStatus.enabled) throw errors.accountDisabled();
  if (asksFactor) await demandSecondFactor(deps, user, { ...claims, isAdmin: isAdminBy(deps, claims) });
  return user;
}

/**
 * Another tab of the same person may have been quicker: then once more, with the tie that it made. So where somebody else
 * took the name that was free.
 */
async function unlessTiedMeanwhile<Result>(
  deps: Deps,
  claims: Claims,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  const { kysely } = deps.db;
  const wasTied = (await findTied(kysely, claims)) !== undefined;
  try {
    return await kysely.transaction().execute(work);
  } catch (error) {
    if (!(error instanceof ApiError) || wasTied) throw error;
    const isNameTaken = error.code === errors.usernameTaken().code;
    if (!isNameTaken && (await findTied(kysely, claims)) === undefined) throw error;
    return kysely.transaction().execute(work);
  }
}

/** Throws registrationClosed. */
async function takeSetup(deps: Deps, transaction: Transaction, id: number, code: string): Promise<void> {
  // A disabled one is refused as it is.
  if (!(await lockEnabled(transaction, id))) return;
  await makeFirstAdmin(deps, transaction, code, { id }).catch((error: unknown) => {
    throw error instanceof ApiError ? errors.registrationClosed({ message: error.message }) : error;
  });
}

async function findAccount(
  deps: Deps,
  transaction: Transaction,
  claims: Claims,
  link: JoinLink,
): Promise<Found> {
  const tied = await findTied(transaction, claims);
  if (tied !== undefined) {
    await lockAccount(deps, transaction, tied, claims);
    if (await noteTieUse(deps, transaction, tied, claims)) return { id: tied, asksFactor: false };
  }
  const known = await findByEmail(deps, transaction, claims);
  if (known) return known;
  if (isAdminBy(deps, claims) !== null) await lockAdmins(transaction);
  return { id: (await makeAccount(deps, transaction, claims, link)).id, asksFactor: false };
}

/**
 * Ties the account of a session. Throws forbidden where the person is tied to another, or the account to somebody else
 * there, whom its owner may not know of; badToken for an ended session.
 */
export async function tieAccount(
  deps: Deps,
  { userId, sessionId }: { userId: number; sessionId: number },
  claims: Claims,
): Promise<void> {
  await deps.db.kysely.transaction().execute(async (transaction) => {
    const isEnabled = (await lockEnabled(transaction, userId)) !== undefined;
    // A new password ends it: nothing is connected by a session of before.
    if (!isEnabled || !(await hasSession(transaction, sessionId))) throw errors.badToken();
    const tied = await findTied(transaction, claims);
    if (tied === userId) {
      await noteTieUse(deps, transaction, userId, claims);
      return;
    }
    if (tied !== undefined) throw errors.forbidden({ message: 'Another account signs in this way already' });
    if (await isTiedAt(transaction, userId, claims.iss))
      throw errors.forbidden({
        message: 'Somebody else there signs in to this account: disconnect it first',
      });
    await tie(deps, transaction, userId, claims);
    await tellOwner(deps, transaction, userId, { kind: 'oidc_connected', language: claims.language });
  });
}

/** From now on the provider signs nobody into it. `user`: who gave the password. Returns whether it did. */
export async function untieAccount(deps: Deps, user: UserRow, language: Language): Promise<boolean> {
  return deps.db.kysely.transaction().execute(async (transaction) => {
    await lockProven(transaction, user);
    if ((await endTies(transaction, user.id)) === 0) return false;
    await auditOwn(deps, transaction, user.id, 'user.update', { oidc: false });
    await tellOwner(deps, transaction, user.id, { kind: 'oidc_disconnected', language });
    return true;
  });
}

/**
 * Ties it, too. Only an address that both sides have confirmed says whose account it is; and it is no second factor, so
 * that who has one connects by hand. So does whose tie was ended. Throws emailTaken then, accountDisabled for a disabled
 * one. Where nobody can connect by hand (PASSWORD_LOGIN=0), the email is enough for whose tie was ended, and who has a
 * second factor is asked for that.
 */
async function findByEmail(deps: Deps, transaction: Transaction, claims: Claims): Promise<Found | undefined> {
  const { email, email_verified, language } = claims;
  if (typeof email !== 'string' || email_verified !== true) return undefined;
  const user = await lockByEmail(deps, transaction, email, claims);
  if (!user) return undefined;
  // Names are found by what they look like; whose address it is depends on each letter: ß is not ss to a registrar.
  if (exact(user.email) !== exact(email)) throw connectByHand();
  if (user.status !== UserStatus.enabled) throw errors.accountDisabled();
  // It is somebody's there already: an address may be given to another person.
  if (await isTiedAt(transaction, user.id, claims.iss)) throw connectByHand();
  const asksFactor = await hasFactor({ kysely: transaction }, user.id);
  if (deps.config.passwordLogin && (asksFactor || user.oidc_by_hand === 1)) throw connectByHand();
  if (asksFactor) return { id: user.id, asksFactor };
  await tie(deps, transaction, user.id, claims);
  await tellOwner(deps, transaction, user.id, { kind: 'oidc_connected', language });
  return { id: user.id, asksFactor };
}

/** With all admins, in one order, where the claim will ask for them. */
async function lockAccount(deps: Deps, transaction: Transaction, id: number, claims: Claims): Promise<void> {
  const { status } = await getUser({ db: { kysely: transaction } }, id);
  if (isAdminBy(deps, claims) !== null && status !== UserStatus.deleting)
    await lockAmongAdmins(transaction, id);
  else await lockEnabled(transaction, id);
}

/** Whose confirmed address it is. */
async function lockByEmail(deps: Deps, transaction: Transaction, email: string, claims: Claims) {
  const byEmail = transaction
    .selectFrom('users')
    .select(['id', 'email', 'status', 'oidc_by_hand'])
    .where('email_key', '=', fold(email))
    .where('email_confirmed', '=', 1);
  const found = await byEmail.executeTakeFirst();
  if (found) await lockAccount(deps, transaction, found.id, claims);
  return byEmail.forNoKeyUpdate().executeTakeFirst();
}

/** As the API takes them; what is none the provider did not check either. */
function isEmail(claim: unknown): claim is string {
  return typeof claim === 'string' && hasEmailFormat(claim);
}

/** Letter by letter, but for capitals of the Latin alphabet, which no mailbox tells apart. */
function exact(email: string): string {
  return email.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
