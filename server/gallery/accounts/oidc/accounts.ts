/**
 * Whose account it is that signs in by the provider. The provider's name for a person (`sub`) ties them to an account for
 * good, whatever becomes of their address; an address alone does so only where both sides have seen it confirmed.
 */
import type { Deps } from '../../../deps.ts';
import { fold } from '../../../platform/db/fold.ts';
import { UserStatus } from '../../../platform/db/states.ts';
import type { Transaction, UserRow } from '../../../platform/db/tables.ts';
import { errors } from '../../../platform/errors/catalogue.ts';
import type { Language } from '../../../platform/http/language.ts';
import { auditOwn } from '../../moderation/audit.ts';
import type { Attempt } from '../attempts/watch.ts';
import { demandSecondFactor } from '../factor/second-step.ts';
import { hasFactor } from '../factor/totp.ts';
import { lockAmongAdmins } from '../last-admin.ts';
import { tellOwner } from '../safety.ts';
import { getUser, insertUser, lockEnabled } from '../store.ts';
import { endTies, findTied, tie } from '../ties.ts';
import type { Claims as Given } from './provider.ts';

/** What the provider says, and the language of who signs in. */
type Claims = Given & { language: Language };

const maxName = 20;
const minName = 3;
/** As many others may have the name that the provider gives. */
const nameTries = 50;

interface Found {
  id: number;
  /** The email alone does not enter it: its second factor has to. */
  asksFactor: boolean;
}

/**
 * The account, made where there is none. Throws secondFactor, accountDisabled, emailTaken, registrationClosed or
 * forbidden.
 */
export async function accountOf(deps: Deps, said: Claims, attempt: Attempt): Promise<UserRow> {
  const claims = { ...said, email: isEmail(said.email) ? said.email : undefined };
  const { id, asksFactor } = await deps.db.kysely.transaction().execute(async (transaction) => {
    const found = await findAccount(deps, transaction, claims);
    if (!found.asksFactor) await applyAdminClaim(deps, transaction, found.id, claims);
    return found;
  });
  attempt.account = id;
  const user = await getUser(deps, id);
  if (user.status !== UserStatus.enabled) throw errors.accountDisabled();
  if (asksFactor) await demandSecondFactor(deps, user, claims);
  return user;
}

async function findAccount(deps: Deps, transaction: Transaction, claims: Claims): Promise<Found> {
  const tied = await findTied(deps, transaction, claims);
  if (tied !== undefined) return { id: tied, asksFactor: false };
  const known = await findByEmail(deps, transaction, claims);
  if (known) return known;
  return { id: (await makeAccount(deps, transaction, claims)).id, asksFactor: false };
}

/** Ties the account of a session. Throws forbidden where the person is tied to another, badToken for an ended one. */
export async function tieAccount(deps: Deps, userId: number, claims: Claims): Promise<void> {
  await deps.db.kysely.transaction().execute(async (transaction) => {
    if (!(await lockEnabled(transaction, userId))) throw errors.badToken();
    const tied = await findTied(deps, transaction, claims);
    if (tied === userId) return;
    if (tied !== undefined) throw errors.forbidden({ message: 'Another account signs in this way already' });
    await tie(deps, transaction, userId, claims);
    await tellOwner(deps, transaction, userId, { kind: 'oidc_connected', language: claims.language });
  });
}

/** From now on the provider signs nobody into it. Returns whether it did. */
export async function untieAccount(deps: Deps, userId: number, language: Language): Promise<boolean> {
  return deps.db.kysely.transaction().execute(async (transaction) => {
    if ((await endTies(transaction, userId)) === 0) return false;
    await auditOwn(deps, transaction, userId, 'user.update', { oidc: false });
    await tellOwner(deps, transaction, userId, { kind: 'oidc_disconnected', language });
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
  const user = await transaction
    .selectFrom('users')
    .select(['id', 'email', 'status', 'oidc_by_hand'])
    .where('email_key', '=', fold(email))
    .where('email_confirmed', '=', 1)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!user) return undefined;
  // Names are found by what they look like; whose address it is depends on each letter: ß is not ss to a registrar.
  if (exact(user.email) !== exact(email)) throw connectByHand();
  if (user.status !== UserStatus.enabled) throw errors.accountDisabled();
  const asksFactor = await hasFactor({ kysely: transaction }, user.id);
  if (deps.config.passwordLogin && (asksFactor || user.oidc_by_hand === 1)) throw connectByHand();
  if (asksFactor) return { id: user.id, asksFactor };
  await tie(deps, transaction, user.id, claims);
  await tellOwner(deps, transaction, user.id, { kind: 'oidc_connected', language });
  return { id: user.id, asksFactor };
}

async function makeAccount(deps: Deps, transaction: Transaction, claims: Claims): Promise<UserRow> {
  const { email, email_verified, name } = claims;
  if (deps.config.registration !== 'open') {
    // Whose address it is may know that an account here has it, and is told what to do; nobody else is.
    if (typeof email === 'string' && email_verified === true) await refuseTakenEmail(transaction, email);
    throw errors.registrationClosed({ message: 'This gallery takes no new accounts by this way' });
  }
  if (typeof email !== 'string') {
    throw errors.forbidden({ message: 'The sign-in provider did not tell your email address' });
  }
  await refuseTakenEmail(transaction, email);
  const made = await insertUser(
    deps,
    { username: await freeName(transaction, claims), email, passwordHash: '' },
    transaction,
  );
  const known = {
    email_confirmed: email_verified === true ? 1 : 0,
    ...(typeof name === 'string' && nicknameOf(name)),
  };
  await transaction.updateTable('users').set(known).where('id', '=', made.id).execute();
  await auditOwn(deps, transaction, made.id, 'user.create', { oidc: true });
  await tie(deps, transaction, made.id, claims);
  return made;
}

async function refuseTakenEmail(transaction: Transaction, email: string): Promise<void> {
  const other = await transaction
    .selectFrom('users')
    .select('id')
    .where('email_key', '=', fold(email))
    .executeTakeFirst();
  if (other) throw connectByHand();
}

function connectByHand(): Error {
  return errors.emailTaken({
    message:
      'An account here has this email already: sign in to it as before, and connect it in its settings',
  });
}

/** As the API takes them; what is none the provider did not check either. */
function isEmail(claim: unknown): claim is string {
  return (
    typeof claim === 'string' &&
    claim.length <= 254 &&
    /^[^\s@<>"\p{C}]+@[^\s@<>"\p{C}]+\.[^\s@<>"\p{C}]+$/u.test(claim)
  );
}

function exact(email: string): string {
  return email.normalize('NFC').toLowerCase();
}

function nicknameOf(name: string) {
  const nickname = [...name.replace(/[\p{Cc}\p{Cf}]/gu, '').trim()].slice(0, 50).join('');
  return { nickname, nickname_key: fold(nickname) };
}

/** Of what the provider calls them; with a number where somebody has it. */
async function freeName(transaction: Transaction, { preferred_username, email }: Claims): Promise<string> {
  const wanted = String(preferred_username ?? email).split('@')[0]!;
  const plain = wanted
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9_-]/g, '')
    .slice(0, maxName);
  const base = plain.length < minName || /^\d+$/.test(plain) ? `user-${plain}`.slice(0, maxName) : plain;
  const candidates = Array.from({ length: nameTries }, (_, n) => {
    const end = n === 0 ? '' : `-${n + 1}`;
    return base.slice(0, maxName - end.length) + end;
  });
  const taken = await transaction
    .selectFrom('users')
    .select('username_key')
    .where('username_key', 'in', candidates.map(fold))
    .execute();
  const free = candidates.find((name) => !taken.some(({ username_key }) => username_key === fold(name)));
  if (free === undefined) throw errors.usernameTaken();
  return free;
}

/** Whether the provider says that somebody is an admin is asked at each sign-in that is let in; the last admin stays one. */
async function applyAdminClaim(
  deps: Deps,
  transaction: Transaction,
  userId: number,
  claims: Claims,
): Promise<void> {
  const wanted = deps.config.oidc?.adminClaim;
  if (!wanted) return;
  const { user, isLastAdmin } = await lockAmongAdmins(transaction, userId);
  if (user.status !== UserStatus.enabled) return;
  const isAdmin = holds(claims[wanted.name], wanted.value);
  if (isAdmin === (user.is_admin === 1) || (!isAdmin && isLastAdmin)) return;
  await transaction
    .updateTable('users')
    .set({ is_admin: Number(isAdmin) })
    .where('id', '=', userId)
    .execute();
  await auditOwn(deps, transaction, userId, 'user.update', { is_admin: isAdmin, oidc: true });
}

/** `wanted` undefined: the claim itself says yes. */
function holds(claim: unknown, wanted: string | undefined): boolean {
  if (wanted === undefined) return claim === true;
  return Array.isArray(claim) ? claim.includes(wanted) : claim === wanted;
}
