/**
 * What a new password must be beyond the contract (PASSWORD_RULES=strict): long enough, no common one, and not made of
 * words that a guesser knows. Wherever an account gets a password, this is asked before it is hashed.
 */
import { createRequire } from 'node:module';
import type { Config } from '../../config.ts';
import { fold } from '../../platform/db/fold.ts';
import type { UserRow } from '../../platform/db/tables.ts';
import { invalidFields } from '../../platform/errors/catalogue.ts';

type Rules = Pick<Config, 'passwordRules' | 'siteName'>;
export type Owner = Pick<UserRow, 'username' | 'email'>;

const product = 'lightwell';
/** Shorter ones stand in too many other words. */
const minWord = 3;

/** What the contract promises, or OWASP ASVS 5.0 asks. */
export function minPasswordLength({ passwordRules }: Pick<Rules, 'passwordRules'>): number {
  return passwordRules === 'strict' ? 8 : 6;
}

/** `field`: what the request calls it. Throws invalid. */
export function checkNewPassword(rules: Rules, password: string, owner: Owner, field = 'password'): void {
  const problem = passwordProblem(rules, password, owner);
  if (problem !== undefined) throw invalidFields({ [field]: [problem] });
}

/** What is wrong with it, in words; undefined for a good one. Its length by the contract was checked before. */
export function passwordProblem(rules: Rules, password: string, owner: Owner): string | undefined {
  if (rules.passwordRules !== 'strict') return undefined;
  const min = minPasswordLength(rules);
  const folded = fold(password);
  if ([...password].length < min) return `must have at least ${min} characters`;
  if (isCommon(folded)) return 'must not be one of the most common passwords';
  let rest = folded;
  const words = contextOf(rules, owner).filter((word) => {
    const isThere = rest.includes(word);
    rest = rest.replaceAll(word, '');
    return isThere;
  });
  if ([...rest].length >= min) return undefined;
  return `must have at least ${min} characters besides ${words.map((word) => `"${word}"`).join(', ')}`;
}

/** The longest first, as others may be parts of them. */
function contextOf({ siteName }: Rules, { username, email }: Owner): string[] {
  const localPart = email.slice(0, email.lastIndexOf('@'));
  const parts = [product, siteName, ...siteName.split(/[^\p{L}\p{N}]+/u), username, localPart].map(fold);
  const words = [...new Set(parts)].filter((word) => [...word].length >= minWord);
  return words.sort((one, other) => other.length - one.length);
}

/** 49,000 of them, a third of at least 8 characters: loaded when they are first needed, which takes 15 MB. */
function isCommon(folded: string): boolean {
  const { dictionary } = createRequire(import.meta.url)('@zxcvbn-ts/language-common') as {
    dictionary: { 'passwords-common': string[] };
  };
  return dictionary['passwords-common'].includes(folded);
}
