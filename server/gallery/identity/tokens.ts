/** Access tokens: 256 random bits, of which only the SHA-256 is stored. */
import { hash, randomBytes } from 'node:crypto';

/** API keys can be told from sessions, by people and by secret scanners. */
const keyPrefix = 'lw_';
const tokenPattern = /^(lw_)?[A-Za-z0-9_-]{43}$/;

export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

export function newApiKey(): string {
  return keyPrefix + newToken();
}

export function isApiKey(token: string): boolean {
  return token.length > 43 && token.startsWith(keyPrefix);
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
