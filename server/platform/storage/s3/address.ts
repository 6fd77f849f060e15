/** Addresses by which browsers fetch objects from the store itself, past the gallery, until they expire. */
import { GetObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { LRUCache } from 'lru-cache';
import { checkedName } from '../keys.ts';
import type { SignedAddress, Storage } from '../storage.ts';
import type { S3Store } from './client.ts';
import { reached } from './errors.ts';

/** The same address for so long, so that browsers find it in their cache; it holds for one to two of these. */
const periodSeconds = 150;
const addressesRemembered = 10_000;

export function createAddressOf(store: S3Store): NonNullable<Storage['addressOf']> {
  // Signing takes a millisecond; a page of thumbnails asks for a hundred, again and again.
  const addresses = new LRUCache<string, SignedAddress>({ max: addressesRemembered });

  return async (name, { mime, now }) => {
    const signed = Math.floor(now / periodSeconds) * periodSeconds;
    const id = `${name} ${mime} ${signed}`;
    const known = addresses.get(id);
    if (known) return known;
    const command = new GetObjectCommand({
      ...store.at(checkedName(name)),
      ResponseContentType: mime,
      ResponseCacheControl: `private, max-age=${2 * periodSeconds}`,
    });
    const url = await reached(
      getSignedUrl(store.signer, command, {
        signingDate: new Date(signed * 1000),
        expiresIn: 2 * periodSeconds,
      }),
    );
    const address = { url, expires: signed + 2 * periodSeconds };
    addresses.set(id, address);
    return address;
  };
}
