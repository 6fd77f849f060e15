/** Creates and hashes access tokens: 256 random bits, of which only the SHA-256 hash is stored. */
import { hash, randomBytes } from 'node:crypto';

/** Prefix of API keys, by which people and secret scanners recognize them. */
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

/**
 * Returns the hash by which a token is stored and found. Look-ups by hash also make the time of the comparison
 * reveal nothing about the token.
 */
export function tokenHash(token: string): string {
  return hash('sha256', token, 'hex');
}

/**
 * Returns the text after `Bearer` in an Authorization header, or undefined if there is none. Browsers repeat the
 * password of a proxy in front of the gallery (`Basic …`) in every request, so other schemes count as no header.
 */
export function readBearer(header: string | undefined): string | undefined {
  return header === undefined ? undefined : /^bearer[ \t]+(\S.*)$/i.exec(header)?.[1];
}

/** Returns whether the text has the form of a session token or an API key. */
export function isTokenText(text: string): boolean {
  return tokenPattern.test(text);
}
