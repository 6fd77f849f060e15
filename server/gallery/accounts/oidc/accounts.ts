/**
 * Finds or creates the account for a sign-in at the OpenID provider. The provider's id of a person (`sub`) links
 * that person to an account permanently, even if their email address changes. An email address alone links an
 * account only if both sides have confirmed the email address.
 */
import type { Deps } from '../../../deps.ts';
import { foldText } from '../../../platform/db/fold.ts';
import { UserStatus } from '../../../platform/db/states.ts';
import type { Transaction, UserRow } from '../../../platform/db/tables.ts';
import { ApiError, errors } from '../../../platform/errors/catalogue.ts';
import { hasEmailFormat } from '../../../platform/http/ajv.ts';
import type { Language } from '../../../platform/http/language.ts';
import { trimBlanks } from '../../../platform/schema/line.ts';
import type { RequestAttempt } from '../../identity/attempts/watch.ts';
import { hasSession } from '../../identity/sessions.ts';
import { getUser, lockEnabledUser } from '../../identity/users.ts';
import { recordOwnAccountAct } from '../../moderation/audit.ts';
import { applyAdminClaim, isAdminByClaims } from '../admin-claim.ts';
import { requireSecondFactor } from '../factor/second-step.ts';
import { hasSecondFactor } from '../factor/totp.ts';
import { lockAdmins, lockUserAndAdmins } from '../last-admin.ts';
import {
  findLinkedUser,
  isLinkedToProvider,
  linkIdentity,
  recordIdentityUse,
  unlinkIdentities,
} from '../linked-identities.ts';
import { queueSecurityNotice } from '../notify-owner.ts';
import { lockIfPasswordUnchanged } from '../password.ts';
import type { RegistrationLink } from '../registration/can-register.ts';
import { makeFirstAdmin, type SetupInput } from '../setup.ts';
import { createOidcAccount, emailHasAccountError } from './create-account.ts';
import type { OidcClaims as ProviderClaims } from './provider.ts';

/** Claims of the provider, with the language of the user who signs in. */
type Claims = ProviderClaims & { language: Language };

interface AccountMatch {
  id: number;
  /** Whether the account was found only by its email address, so that the sign-in also needs its second factor. */
  asksFactor: boolean;
}

/**
 * Returns the account that signs in, and creates one if the settings or the link allow it. Throws secondFactor,
 * accountDisabled, emailTaken, forbidden, or registrationClosed for closed registration and for an invalid link.
 */
export async function findOrCreateOidcAccount(
  deps: Deps,
  said: Claims,
  { attempt, link }: { attempt: RequestAttempt; link: RegistrationLink },
): Promise<UserRow> {
  const claims = { ...said, email: readEmail(said.email) };
  const { user, asksFactor } = await retryIfLinkedMeanwhile(deps, claims, async (transaction) => {
    const found = await findAccount(deps, transaction, claims, link);
    if (!found.asksFactor) {
      // Apply the setup link before the admin claim, so that the account is the last admin, from whom the claim
      // takes no rights.
      const { setup, access } = link;
      if (setup !== undefined) await consumeSetupCode(deps, transaction, found.id, { code: setup, access });
      await applyAdminClaim(deps, transaction, found.id, isAdminByClaims(deps, claims));
    }
    // Read the account in the transaction that linked the account, so that `startSession` can detect a later
    // password change.
    return { user: await getUser({ db: { kysely: transaction } }, found.id), asksFactor: found.asksFactor };
  });
  attempt.account = user.id;
  if (user.status !== UserStatus.enabled) throw errors.accountDisabled();
  if (asksFactor)
    await requireSecondFactor(deps, user, { ...claims, isAdmin: isAdminByClaims(deps, claims) });
  return user;
}

/**
 * Runs `work` in a transaction, and once more if another request was quicker. Another tab may have linked the same
 * person, or another user may have taken the free username.
 */
async function retryIfLinkedMeanwhile<Result>(
  deps: Deps,
  claims: Claims,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  const { kysely } = deps.db;
  const wasTied = (await findLinkedUser(kysely, claims)) !== undefined;
  try {
    return await kysely.transaction().execute(work);
  } catch (error) {
    if (!(error instanceof ApiError) || wasTied) throw error;
    const isNameTaken = error.code === errors.usernameTaken().code;
    if (!isNameTaken && (await findLinkedUser(kysely, claims)) === undefined) throw error;
    return kysely.transaction().execute(work);
  }
}

/** Makes the account the first admin by the setup code. Throws registrationClosed for an invalid code. */
async function consumeSetupCode(
  deps: Deps,
  transaction: Transaction,
  id: number,
  answer: SetupInput,
): Promise<void> {
  // A disabled account gets no admin rights here, and the caller refuses its sign-in.
  if (!(await lockEnabledUser(transaction, id))) return;
  await makeFirstAdmin(deps, transaction, answer, { id }).catch((error: unknown) => {
    throw error instanceof ApiError ? errors.registrationClosed({ message: error.message }) : error;
  });
}

async function findAccount(
  deps: Deps,
  transaction: Transaction,
  claims: Claims,
  link: RegistrationLink,
): Promise<AccountMatch> {
  const tied = await findLinkedUser(transaction, claims);
  if (tied !== undefined) {
    await lockAccount(deps, transaction, tied, claims);
    if (await recordIdentityUse(deps, transaction, tied, claims)) return { id: tied, asksFactor: false };
  }
  const known = await findByEmail(deps, transaction, claims);
  if (known) return known;
  if (isAdminByClaims(deps, claims) !== null) await lockAdmins(transaction);
  return { id: (await createOidcAccount(deps, transaction, claims, link)).id, asksFactor: false };
}

/**
 * Links an identity to the account of a session. Throws forbidden if the identity belongs to another account, or if
 * the account already has an identity at this provider. Throws badToken if the session has ended.
 */
export async function linkAccountToProvider(
  deps: Deps,
  { userId, sessionId }: { userId: number; sessionId: number },
  claims: Claims,
): Promise<void> {
  await deps.db.kysely.transaction().execute(async (transaction) => {
    const isEnabled = (await lockEnabledUser(transaction, userId)) !== undefined;
    // Check that the session still exists: a new password ends older sessions, which must not link an identity
    // afterwards.
    if (!isEnabled || !(await hasSession(transaction, sessionId))) throw errors.badToken();
    const tied = await findLinkedUser(transaction, claims);
    if (tied === userId) {
      await recordIdentityUse(deps, transaction, userId, claims);
      return;
    }
    if (tied !== undefined)
      throw errors.forbidden({
        message: 'Your identity at the sign-in provider is already connected to another account',
      });
    if (await isLinkedToProvider(transaction, userId, claims.iss))
      throw errors.forbidden({
        message:
          'This account is already connected to another identity at the sign-in provider. Disconnect ' +
          'that one first.',
      });
    await linkIdentity(deps, transaction, userId, claims);
    await queueSecurityNotice(deps, transaction, userId, {
      kind: 'oidc_connected',
      language: claims.language,
    });
  });
}

/**
 * Unlinks the account from the provider, so that the provider no longer signs anyone in to it. `user` is the
 * account whose password was given. Returns whether there was a link.
 */
export async function unlinkAccountFromProvider(
  deps: Deps,
  user: UserRow,
  language: Language,
): Promise<boolean> {
  return deps.db.kysely.transaction().execute(async (transaction) => {
    await lockIfPasswordUnchanged(transaction, user);
    if ((await unlinkIdentities(transaction, user.id)) === 0) return false;
    await recordOwnAccountAct(deps, transaction, user.id, 'user.update', { oidc: false });
    await queueSecurityNotice(deps, transaction, user.id, { kind: 'oidc_disconnected', language });
    return true;
  });
}

/**
 * Finds and links the account with the claimed email address. Only an email address that both sides have confirmed
 * identifies an account. Throws emailTaken if the owner must connect the account in its settings, because the
 * account has a second factor or its link was removed before. With PASSWORD_LOGIN=0, the email address alone suffices
 * after a removed link, and the second factor is asked for. Throws accountDisabled for a disabled account.
 */
async function findByEmail(
  deps: Deps,
  transaction: Transaction,
  claims: Claims,
): Promise<AccountMatch | undefined> {
  const { email, email_verified, language } = claims;
  if (typeof email !== 'string' || email_verified !== true) return undefined;
  const user = await lockByEmail(deps, transaction, email, claims);
  if (!user) return undefined;
  // Users are found by folded text, but the owner of a mailbox depends on the exact letters: registrars treat ß and
  // ss as different.
  if (lowerCaseLatin(user.email) !== lowerCaseLatin(email)) throw emailHasAccountError();
  if (user.status !== UserStatus.enabled) throw errors.accountDisabled();
  // Refuse an account that another identity of this provider uses already, because an email address may pass to
  // another person.
  if (await isLinkedToProvider(transaction, user.id, claims.iss)) throw emailHasAccountError();
  const asksFactor = await hasSecondFactor({ kysely: transaction }, user.id);
  if (deps.config.passwordLogin && (asksFactor || user.oidc_by_hand === 1)) throw emailHasAccountError();
  if (asksFactor) return { id: user.id, asksFactor };
  await linkIdentity(deps, transaction, user.id, claims);
  await queueSecurityNotice(deps, transaction, user.id, { kind: 'oidc_connected', language });
  return { id: user.id, asksFactor };
}

/** Locks the account. If an admin claim will be applied, locks all admins with it in one order. */
async function lockAccount(deps: Deps, transaction: Transaction, id: number, claims: Claims): Promise<void> {
  const { status } = await getUser({ db: { kysely: transaction } }, id);
  if (isAdminByClaims(deps, claims) !== null && status !== UserStatus.deleting)
    await lockUserAndAdmins(transaction, id);
  else await lockEnabledUser(transaction, id);
}

/** Finds and locks the account that has this email address as a confirmed one. */
async function lockByEmail(deps: Deps, transaction: Transaction, email: string, claims: Claims) {
  const byEmail = transaction
    .selectFrom('users')
    .select(['id', 'email', 'status', 'oidc_by_hand'])
    .where('email_key', '=', foldText(email))
    .where('email_confirmed', '=', 1);
  const found = await byEmail.executeTakeFirst();
  if (found) await lockAccount(deps, transaction, found.id, claims);
  return byEmail.forNoKeyUpdate().executeTakeFirst();
}

/**
 * Returns a claim that is an email address by the rules of the API, without blanks around the address. A text in
 * another form cannot be an email address that the provider verified.
 */
function readEmail(claim: unknown): string | undefined {
  const email = typeof claim === 'string' ? trimBlanks(claim) : '';
  return hasEmailFormat(email) ? email : undefined;
}

/**
 * Returns the email address with its Latin capitals in lowercase, because no mail server distinguishes these
 * letters.
 */
function lowerCaseLatin(email: string): string {
  return email.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
