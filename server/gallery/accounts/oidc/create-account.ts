/**
 * Creates an account for a person who signs in at the OpenID provider and has none yet, with a name based on the
 * provider's claims.
 */
import { randomBytes } from 'node:crypto';
import type { Deps } from '../../../deps.ts';
import { foldText } from '../../../platform/db/fold.ts';
import type { Transaction, UserRow } from '../../../platform/db/tables.ts';
import { errors } from '../../../platform/errors/catalogue.ts';
import { readSiteSettings } from '../../identity/site-settings.ts';
import { recordOwnAccountAct } from '../../moderation/audit.ts';
import { linkIdentity } from '../linked-identities.ts';
import { createNameColumns } from '../names.ts';
import type { RegistrationLink } from '../registration/can-register.ts';
import { consumeInvite } from '../registration/invites.ts';
import { insertUser } from '../store.ts';
import type { OidcClaims } from './provider.ts';

const maxName = 20;
const minName = 3;
/**
 * How many usernames with a number at the end are tried. If all are taken, the name gets a random end that nobody
 * can guess and register in advance.
 */
const maxUsernameTries = 50;
const suffixBytes = 4;

/**
 * Creates an account if an invite, the setup link or open registration allows it. An invite counts one use in the
 * same transaction.
 */
export async function createOidcAccount(
  deps: Deps,
  transaction: Transaction,
  claims: OidcClaims,
  link: RegistrationLink,
): Promise<UserRow> {
  const { email, email_verified, name } = claims;
  if (!(await canRegister(deps, transaction, link))) {
    // Only the confirmed owner of an email address learns that an account already has this address, and how to
    // connect it.
    if (typeof email === 'string' && email_verified === true) await refuseTakenEmail(transaction, email);
    throw errors.registrationClosed({
      message: 'This gallery creates no new accounts by the sign-in provider',
    });
  }
  if (typeof email !== 'string') {
    throw errors.forbidden({ message: 'The sign-in provider did not return your email address' });
  }
  // Check the invite before the email address, so that an invalid invite reveals nothing about addresses.
  const invite =
    link.invite === undefined ? undefined : await consumeInvite(deps, transaction, link.invite, email);
  await refuseTakenEmail(transaction, email);
  const made = await insertUser(
    deps,
    { username: await findFreeUsername(transaction, claims), email, passwordHash: '' },
    transaction,
  );
  const known = {
    email_confirmed: email_verified === true ? 1 : 0,
    ...(typeof name === 'string' && createNameColumns(made.username, toNickname(name))),
  };
  await transaction.updateTable('users').set(known).where('id', '=', made.id).execute();
  await recordOwnAccountAct(deps, transaction, made.id, 'user.create', {
    oidc: true,
    ...(invite !== undefined && { invite }),
  });
  await linkIdentity(deps, transaction, made.id, claims);
  return made;
}

async function canRegister(
  { config }: Deps,
  transaction: Transaction,
  { invite, setup }: RegistrationLink,
): Promise<boolean> {
  if (setup !== undefined) return true;
  const { registration } = await readSiteSettings(config, transaction);
  if (registration === 'open') return true;
  return registration === 'invite' && invite !== undefined;
}

async function refuseTakenEmail(transaction: Transaction, email: string): Promise<void> {
  const other = await transaction
    .selectFrom('users')
    .select('id')
    .where('email_key', '=', foldText(email))
    .executeTakeFirst();
  if (other) throw emailHasAccountError();
}

export function emailHasAccountError(): Error {
  return errors.emailTaken({
    message:
      'An account with this email already exists. Sign in to that account, then connect the sign-in ' +
      'provider in the settings.',
  });
}

function toNickname(name: string): string {
  return [...name.replace(/[\p{Cc}\p{Cf}]/gu, '').trim()].slice(0, 50).join('');
}

/**
 * Returns a free username derived from the provider's username or the email address, with a number if the name is
 * taken.
 */
async function findFreeUsername(
  transaction: Transaction,
  { preferred_username, email }: OidcClaims,
): Promise<string> {
  const known = [preferred_username, email].map(toUsername);
  const plain = known.find((one) => one.length >= minName) ?? known.find((one) => one !== '');
  const base =
    plain === undefined ? 'user' : isValidUsername(plain) ? plain : `user-${plain}`.slice(0, maxName);
  const withSuffix = (end: string) => base.slice(0, maxName - end.length) + end;
  const candidates = Array.from({ length: maxUsernameTries }, (_, n) =>
    withSuffix(n === 0 ? '' : `-${n + 1}`),
  );
  const taken = await transaction
    .selectFrom('users')
    .select('username_key')
    .where('username_key', 'in', candidates.map(foldText))
    .execute();
  const free = candidates.find((name) => !taken.some(({ username_key }) => username_key === foldText(name)));
  return free ?? withSuffix(`-${randomBytes(suffixBytes).toString('hex')}`);
}

/**
 * Returns the characters of a provider's claim that usernames allow, or `''` if there are none. A claim may have
 * any type.
 */
function toUsername(claim: unknown): string {
  if (typeof claim !== 'string') return '';
  return claim
    .split('@')[0]!
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9_-]/g, '')
    .slice(0, maxName);
}

function isValidUsername(plain: string): boolean {
  return plain.length >= minName && !/^\d+$/.test(plain);
}
