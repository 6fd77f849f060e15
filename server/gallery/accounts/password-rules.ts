/**
 * What a new password must be beyond the contract (PASSWORD_RULES=strict): long enough, no common one, and not made of
 * words that a guesser knows. Wherever an account gets a password, this is asked before it is hashed.
 */
import { createRequire } from 'node:module';
import type { Config } from '../../config.ts';
import { fold } from '../../platform/db/fold.ts';
import type { UserRow } from '../../platform/db/tables.ts';
import { invalidFields } from '../../platform/errors/catalogue.ts';

type Rules = Pick<Config, 'passwordRules' | 'siteName' | 'baseUrl'>;
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
  // Spaces make no other word, and what is not seen none at all: "i love you" is "iloveyou".
  const together = joined(password);
  if ([...together].length < min) return `must have at least ${min} characters`;
  if (isMonotonous(together) || isCommon(together)) return 'must not be one of the most common passwords';
  let rest = together;
  const words = contextOf(rules, owner).filter((word) => {
    const isThere = rest.includes(word);
    rest = rest.replaceAll(word, '');
    return isThere;
  });
  if ([...rest].length >= min) return undefined;
  return `must have at least ${min} characters besides ${words.map((word) => `"${word}"`).join(', ')}`;
}

/** The longest first, as others may be parts of them. */
function contextOf({ siteName, baseUrl }: Rules, { username, email }: Owner): string[] {
  const at = email.lastIndexOf('@');
  const hosts = [email.slice(at + 1), ...(baseUrl ? [new URL(baseUrl).hostname] : [])].flatMap(namesOf);
  const ofSite = [siteName, ...siteName.split(/[^\p{L}\p{N}]+/u)];
  const parts = [product, ...ofSite, username, email.slice(0, at), ...hosts].map(joined);
  const words = [...new Set(parts)].filter((word) => [...word].length >= minWord);
  return words.sort((one, other) => other.length - one.length);
}

function joined(text: string): string {
  return fold(text).replace(/[\s\p{Cf}]+/gu, '');
}

/** `photos.example.org`, `photos` and `example`: how it ends stands in too many other words. */
function namesOf(host: string): string[] {
  return [host, ...host.split('.').slice(0, -1)];
}

/** `88888888`, `123123123`, `87654321`, `abcdefgh`: common as well, but in no list of words. */
function isMonotonous(folded: string): boolean {
  if (/^(.{1,4})\1+.?$/su.test(folded)) return true;
  const points = [...folded].map((character) => character.codePointAt(0)!);
  // After 9 comes 0, as on a keyboard.
  const steps = points.slice(1).map((point, at) => (point - points[at]! + 1000) % 10);
  return steps.every((step) => step === 1) || steps.every((step) => step === 9);
}

/** 49,000 of them, a third of at least 8 characters: loaded when they are first needed, which takes 15 MB. */
function isCommon(folded: string): boolean {
  const { dictionary } = createRequire(import.meta.url)('@zxcvbn-ts/language-common') as {
    dictionary: { 'passwords-common': string[] };
  };
  return dictionary['passwords-common'].includes(folded);
}
