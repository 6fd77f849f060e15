/** What a gallery signs image paths and share accesses with. */
import { createHmac, createSecretKey, randomBytes, timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Database } from './index.ts';
import { keepSetting } from './settings.ts';

export type Secret = ReturnType<typeof createSecret>;

const secretBytes = 32;
/** A photo in a list has three. */
const maxRecent = 20_000;

/** 256 random bits, hex: made at the first start, the same for every process on this database. */
export function readSecret(db: Database): Promise<string> {
  return keepSetting(db, 'secret', randomBytes(secretBytes).toString('hex'));
}

export function createSecret(text: string) {
  const key = createSecretKey(Buffer.from(text));
  const sign = (signed: string): string => createHmac('sha256', key).update(signed).digest('base64url');
  return {
    text,
    /** HMAC-SHA256 in base64url. */
    sign,
    /** Whether `sign` made the signature of it; the time that this takes tells nothing. */
    isSigned(signed: string, signature: string): boolean {
      const [given, expected] = [Buffer.from(signature), Buffer.from(sign(signed))];
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
    /** What was made with it, by name. Only for names that the server chooses: a client could push all others out. */
    recent: new LRUCache<string, string>({ max: maxRecent }),
  };
}
