/**
 * Checks new passwords with PASSWORD_RULES=strict: long enough, not common, and not made of words that an attacker
 * knows. Every route that sets a password calls this check before hashing.
 */
import { createRequire } from 'node:module';
import type { Config } from '../../config.ts';
import type { Deps } from '../../deps.ts';
import { foldText } from '../../platform/db/fold.ts';
import type { UserRow } from '../../platform/db/tables.ts';
import { invalidFieldsError } from '../../platform/errors/catalogue.ts';
import { readSiteSettings } from '../identity/site-settings.ts';

/** The parts of Deps with the rules and the names that a password must not consist of. */
type PasswordRuleDeps = Pick<Deps, 'config' | 'db'>;
export type PasswordOwner = Pick<UserRow, 'username' | 'email'>;

const productName = 'lightwell';
/**
 * Minimum length of a name or word that a strict password may not consist of. Shorter words occur in too many other
 * words.
 */
const minWordLength = 3;

/** Returns the minimum length of a password: 6 by the API, or 8 with strict rules, as OWASP ASVS 5.0 demands. */
export function getMinPasswordLength({ passwordRules }: Pick<Config, 'passwordRules'>): number {
  return passwordRules === 'strict' ? 8 : 6;
}

/** Throws an `invalid` error on the request's `field` if the rules refuse the password. */
export async function checkNewPassword(
  deps: PasswordRuleDeps,
  password: string,
  owner: PasswordOwner,
  field = 'password',
): Promise<void> {
  const problem = await findPasswordProblem(deps, password, owner);
  if (problem !== undefined) throw invalidFieldsError({ [field]: [problem] });
}

/**
 * Returns what is wrong with a password, or undefined for an acceptable one. The request's schema has already
 * checked the length.
 */
export async function findPasswordProblem(
  { config, db }: PasswordRuleDeps,
  password: string,
  owner: PasswordOwner,
): Promise<string | undefined> {
  if (config.passwordRules !== 'strict') return undefined;
  const { name } = await readSiteSettings(config, db.kysely);
  return describeWeakness(
    password,
    getMinPasswordLength(config),
    wordsNotCounted(name, config.baseUrl, owner),
  );
}

function describeWeakness(password: string, min: number, notCounted: string[]): string | undefined {
  // Ignore spaces and invisible characters, which make no new password: "i love you" is "iloveyou".
  const together = withoutSeparators(password);
  if ([...together].length < min) return `Must have at least ${min} characters`;
  if (isMonotonous(together) || isCommon(together)) return 'Must not be one of the most common passwords';
  let rest = together;
  const words = notCounted.filter((word) => {
    const isThere = rest.includes(word);
    rest = rest.replaceAll(word, '');
    return isThere;
  });
  if ([...rest].length >= min) return undefined;
  return `Must have at least ${min} characters besides ${words.map((word) => `"${word}"`).join(', ')}`;
}

/**
 * Returns the words of the account and the site that do not count in a password. The longest word is first, because
 * one word may be part of another.
 */
function wordsNotCounted(
  siteName: string,
  baseUrl: string | undefined,
  { username, email }: PasswordOwner,
): string[] {
  const at = email.lastIndexOf('@');
  const hosts = [email.slice(at + 1), ...(baseUrl ? [new URL(baseUrl).hostname] : [])].flatMap(hostNameParts);
  const ofSite = [siteName, ...siteName.split(/[^\p{L}\p{N}]+/u)];
  const parts = [productName, ...ofSite, username, email.slice(0, at), ...hosts].map(withoutSeparators);
  const words = [...new Set(parts)].filter((word) => [...word].length >= minWordLength);
  return words.sort((one, other) => other.length - one.length);
}

function withoutSeparators(text: string): string {
  return foldText(text).replace(/[\s\p{Cf}]+/gu, '');
}

/**
 * Returns the parts of a host name without its last label: `photos.example.org`, `photos` and `example`. The last
 * label occurs in too many other words.
 */
function hostNameParts(host: string): string[] {
  return [host, ...host.split('.').slice(0, -1)];
}

/**
 * Returns whether the password is a repetition or a sequence, such as `88888888`, `123123123`, `87654321` or
 * `abcdefgh`. Lists of common passwords do not contain such patterns.
 */
function isMonotonous(folded: string): boolean {
  if (/^(.{1,4})\1+.?$/su.test(folded)) return true;
  const points = [...folded].map((character) => character.codePointAt(0)!);
  // Treat 0 as the digit after 9, as on a keyboard, to recognize sequences.
  const steps = points.slice(1).map((point, at) => (point - points[at]! + 1000) % 10);
  return steps.every((step) => step === 1) || steps.every((step) => step === 9);
}

/**
 * Returns whether the password is among 49,000 common ones, a third of which have at least 8 characters. The list
 * takes 15 MB and is loaded at its first use.
 */
function isCommon(folded: string): boolean {
  const { dictionary } = createRequire(import.meta.url)('@zxcvbn-ts/language-common') as {
    dictionary: { 'passwords-common': string[] };
  };
  return dictionary['passwords-common'].includes(folded);
}
