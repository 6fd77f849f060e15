/** What a gallery signs image paths and share accesses with. */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
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

const cipher = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

export function createSecret(text: string) {
  const key = createSecretKey(Buffer.from(text));
  const sealing = Buffer.from(hkdfSync('sha256', text, '', 'sealing', 32));
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
    /** Encrypts what must be read again. `about`: what it is, and whose: it is unsealed as nothing else. */
    seal(plain: string, about: string): string {
      const nonce = randomBytes(nonceBytes);
      const encrypting = createCipheriv(cipher, sealing, nonce).setAAD(Buffer.from(about));
      const sealed = Buffer.concat([encrypting.update(plain, 'utf8'), encrypting.final()]);
      return Buffer.concat([nonce, encrypting.getAuthTag(), sealed]).toString('base64url');
    },
    /** undefined for what this secret did not seal. */
    unseal(sealed: string, about: string): string | undefined {
      const bytes = Buffer.from(sealed, 'base64url');
      const tag = bytes.subarray(nonceBytes, nonceBytes + tagBytes);
      if (tag.length < tagBytes) return undefined;
      try {
        const decrypting = createDecipheriv(cipher, sealing, bytes.subarray(0, nonceBytes))
          .setAAD(Buffer.from(about))
          .setAuthTag(tag);
        return (
          decrypting.update(bytes.subarray(nonceBytes + tagBytes), undefined, 'utf8') +
          decrypting.final('utf8')
        );
      } catch {
        return undefined;
      }
    },
    /** What was made with it, by name. Only for names that the server chooses: a client could push all others out. */
    recent: new LRUCache<string, string>({ max: maxRecent }),
  };
}
