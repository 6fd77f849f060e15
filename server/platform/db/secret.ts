/** Secret that signs image paths and access tokens of shares. */
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
import { insertSettingIfAbsent } from './settings.ts';

export type GallerySecret = ReturnType<typeof createGallerySecret>;

const secretBytes = 32;
/** Maximum cached signatures. Each photo in a list has three. */
const maxRecent = 20_000;

/**
 * Returns the gallery's secret of 256 random bits in hex. The secret is created at the first start and shared by every
 * process on this database.
 */
export function readGallerySecret(db: Database): Promise<string> {
  return insertSettingIfAbsent(db, 'secret', randomBytes(secretBytes).toString('hex'));
}

const cipherName = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

export function createGallerySecret(text: string) {
  const key = createSecretKey(Buffer.from(text));
  const sealing = Buffer.from(hkdfSync('sha256', text, '', 'sealing', 32));
  const sign = (signed: string): string => createHmac('sha256', key).update(signed).digest('base64url');
  return {
    text,
    /** Signs a text: returns its HMAC-SHA256 in base64url. */
    sign,
    /** Whether `sign` created the signature of the text. The comparison takes constant time. */
    isSigned(signed: string, signature: string): boolean {
      const [given, expected] = [Buffer.from(signature), Buffer.from(sign(signed))];
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
    /**
     * Encrypts a text that must be readable later. `about` names the purpose and owner of the text, which only the same
     * `about` can decrypt.
     */
    seal(plain: string, about: string): string {
      const nonce = randomBytes(nonceBytes);
      const encrypting = createCipheriv(cipherName, sealing, nonce).setAAD(Buffer.from(about));
      const sealed = Buffer.concat([encrypting.update(plain, 'utf8'), encrypting.final()]);
      return Buffer.concat([nonce, encrypting.getAuthTag(), sealed]).toString('base64url');
    },
    /** Decrypts a sealed text. Returns undefined if the text was not sealed by this secret with the same `about`. */
    unseal(sealed: string, about: string): string | undefined {
      const bytes = Buffer.from(sealed, 'base64url');
      const tag = bytes.subarray(nonceBytes, nonceBytes + tagBytes);
      if (tag.length < tagBytes) return undefined;
      try {
        const decrypting = createDecipheriv(cipherName, sealing, bytes.subarray(0, nonceBytes))
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
    /**
     * Cache of texts made with this secret, by name. Only the server may choose the names; a client could otherwise
     * evict all other entries.
     */
    recent: new LRUCache<string, string>({ max: maxRecent }),
  };
}
