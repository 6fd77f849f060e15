/** Access tokens: 256 random bits, of which only the SHA-256 is stored. */
import { hash, randomBytes } from 'node:crypto';

const tokenPattern = /^[A-Za-z0-9_-]{43}$/;

export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Looking a token up by its hash also keeps the comparison's time from telling anything about it. */
export function tokenHash(token: string): string {
  return hash('sha256', token, 'hex');
}

/** The token of `Authorization: Bearer …`; undefined when the header is anything else. */
export function bearerToken(header: string): string | undefined {
  const match = /^bearer +(\S+)$/i.exec(header);
  return match && tokenPattern.test(match[1]!) ? match[1] : undefined;
}
