/**
 * Access tokens of share links. A token, `<expiry>.<signature>`, proves for an hour that the caller gave the link's
 * password or used one of its views. The signature covers the share and its current password, so that the token expires
 * with both and opens no other share.
 */
import type { GallerySecret } from '../../platform/db/secret.ts';
import type { ShareRow } from '../../platform/db/tables.ts';
import { isWithinValidity } from '../../platform/process/clock.ts';

/** Seconds until an access token expires. */
export const shareAccessLifetime = 3600;

type OpenedShare = Pick<ShareRow, 'token' | 'password_hash'>;

const accessValuePattern = /^(\d{1,11})\.([\w-]{43})$/;

/** Creates an access token for a share. `now` is in Unix seconds. */
export function createShareAccess(share: OpenedShare, now: number, secret: GallerySecret): string {
  const expires = String(now + shareAccessLifetime);
  return `${expires}.${secret.sign(accessTextToSign(share, expires))}`;
}

export function isShareAccessValid(
  access: string,
  share: OpenedShare,
  now: number,
  secret: GallerySecret,
): boolean {
  const match = accessValuePattern.exec(access);
  if (!match) return false;
  const [, expires, signature] = match as unknown as [string, string, string];
  return (
    isWithinValidity(Number(expires), now, shareAccessLifetime) &&
    secret.isSigned(accessTextToSign(share, expires), signature)
  );
}

function accessTextToSign({ token, password_hash }: OpenedShare, expires: string): string {
  // The word `share` separates these signatures from others with the same secret.
  return `share\n${token}\n${expires}\n${password_hash}`;
}
