/**
 * Hashes passwords with Argon2id at the costs that OWASP recommends (19 MiB, 2 passes, 1 lane); no setting changes
 * them. Hashing runs in libuv's thread pool and never blocks the event loop. The queue is bounded, because each
 * hash costs memory and tens of milliseconds.
 */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { Config, PasswordCosts } from '../../config.ts';
import { currentCaller } from '../../platform/concurrency/fair-order.ts';
import type { SharedLimits } from '../../platform/http/shared-limits.ts';

const hashAsync = promisify(argon2);
const tagLength = 32;
const saltLength = 16;

/**
 * Returns functions that hash and verify passwords for routes. The queue of hashes is bounded, because each hash
 * occupies a core for a tenth of a second and 19 MiB.
 */
export function createPasswordHashing({ config }: { config: Config }, { hashes }: SharedLimits) {
  const costs = config.passwordCosts;
  return {
    hash: (password: string) => hashes.with(currentCaller(), () => hashPassword(password, costs)),
    verify: (password: string, stored: string | undefined) =>
      hashes.with(currentCaller(), () => verifyPassword(password, stored, costs)),
  };
}

/** Random salt of a hash that belongs to no account, for checks that must fail in the usual time. */
const unusedSalt = randomBytes(saltLength);
const unusedTag = randomBytes(tagLength);

/** Returns the hash of a password as a PHC string: `$argon2id$v=19$m=19456,t=2,p=1$<salt>$<hash>`. */
export async function hashPassword(password: string, costs: PasswordCosts): Promise<string> {
  const salt = randomBytes(saltLength);
  return encodePasswordHash(salt, await derivePasswordTag(password, salt, costs), costs);
}

/**
 * Returns whether the password matches the stored hash. `stored` is undefined for an unknown user and '' for one
 * without a password. For unknown users and missing passwords, the check takes as long as usual and returns false.
 */
export async function verifyPassword(
  password: string,
  stored: string | undefined,
  currentCosts: PasswordCosts,
): Promise<boolean> {
  const { salt, tag, costs } = decodePasswordHash(
    stored || encodePasswordHash(unusedSalt, unusedTag, currentCosts),
  );
  const derived = await derivePasswordTag(password, salt, costs);
  return timingSafeEqual(derived, tag) && Boolean(stored);
}

async function derivePasswordTag(password: string, nonce: Buffer, costs: PasswordCosts): Promise<Buffer> {
  // NFC normalization makes the same characters, typed on different systems, the same password.
  const message = Buffer.from(password.normalize('NFC'));
  return hashAsync('argon2id', { message, nonce, tagLength, ...costs });
}

function encodePasswordHash(
  salt: Buffer,
  tag: Buffer,
  { memory, passes, parallelism }: PasswordCosts,
): string {
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${toUnpaddedBase64(salt)}$${toUnpaddedBase64(tag)}`;
}

function toUnpaddedBase64(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}

function decodePasswordHash(stored: string): { salt: Buffer; tag: Buffer; costs: PasswordCosts } {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(stored);
  if (!match) throw new Error('a stored password hash has an unknown format');
  return {
    salt: Buffer.from(match[4]!, 'base64'),
    tag: Buffer.from(match[5]!, 'base64'),
    costs: { memory: Number(match[1]), passes: Number(match[2]), parallelism: Number(match[3]) },
  };
}
