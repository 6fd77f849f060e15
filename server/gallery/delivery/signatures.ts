/**
 * Signs paths of images. Paths of public photos are plain, unless the gallery is for members only. Other paths carry a
 * grant (`g`), an expiry time (`e`) and a signature (`s`). Each request still checks the photo's row (access.ts).
 */

import { timingSafeEqual } from 'node:crypto';
import type { GallerySecret } from '../../platform/db/secret.ts';
import type { Visibility } from '../../platform/db/states.ts';
import type { ShareRow } from '../../platform/db/tables.ts';
import type { Clock } from '../../platform/process/clock.ts';
import { buildObjectPath } from '../../platform/storage/keys.ts';
import type { AvatarSigner } from '../identity/present.ts';
import { isPublic } from '../library/permissions.ts';

/**
 * Recipient of a path. A viewer is `u` and the user id. The holders of a share are `s`, the share's id and a short
 * hash of its password.
 */
export type PathGrant = `u${number}` | `s${number}` | `s${number}-${string}`;

/** Recipient, time and key for signing the image paths in one response. */
export interface PathSigner extends AvatarSigner {
  grant: PathGrant;
  /** Current time in Unix seconds, from which the expiry time of paths follows. */
  now: number;
  secret: GallerySecret;
}

/**
 * Creates the signer of a response. In a gallery for members, the signer also signs the paths of public photos and of
 * avatars.
 */
export function createPathSigner(
  { clock, secret }: { clock: Clock; secret: GallerySecret },
  grant: PathGrant,
  isMembersOnly: boolean,
): PathSigner {
  const now = clock();
  const signAvatar = isMembersOnly ? (name: string) => signedPath(name, grant, now, secret) : undefined;
  return { grant, now, secret, signAvatar };
}

export interface ParsedPathGrant {
  kind: 'user' | 'share';
  id: number;
  /** Time in Unix seconds at which a signed path expires. */
  expires: number;
  /** Recipient of a signed path, as the path's parameter `g` contains it. */
  text: string;
}

/**
 * Seconds for which a signed path stays the same, so that browsers find the image in their cache. A signed path is
 * valid for one to two such periods.
 */
const signaturePeriodSeconds = 3600;
/** Number of base64url characters of a signature: 132 bits of HMAC-SHA256. */
const signatureLength = 22;

/** Number of characters of the password hash in a share's grant. */
const markLength = 8;

const grantPattern = /^([us])([1-9]\d{0,14})(?:-[\w-]{8})?$/;
const expiryPattern = /^[1-9]\d{0,10}$/;

/**
 * Returns a path that shows the image to the grant's holder for one to two hours. `signed` is the signed text if it
 * differs from the name.
 */
export function signedPath(
  name: string,
  grant: PathGrant,
  now: number,
  secret: GallerySecret,
  signed = name,
): string {
  const expires = (Math.floor(now / signaturePeriodSeconds) + 2) * signaturePeriodSeconds;
  const id = `${name} ${grant} ${expires}`;
  // A list page has up to a hundred paths, which stay the same for an hour. Looking up a path costs a tenth of
  // signing it again.
  const known = secret.recent.get(id);
  if (known) return known;
  const path = buildObjectPath(
    name,
    `?g=${grant}&e=${expires}&s=${signPath(secret, signed, grant, String(expires))}`,
  );
  secret.recent.set(id, path);
  return path;
}

/**
 * Returns the grant of a share's holders. The grant contains a hash of the share's password, so a new password
 * invalidates old paths.
 */
export function createShareGrant(
  { id, password_hash }: Pick<ShareRow, 'id' | 'password_hash'>,
  secret: GallerySecret,
): PathGrant {
  if (password_hash === '') return `s${id}`;
  return `s${id}-${secret.sign(`share's password\n${password_hash}`).slice(0, markLength)}`;
}

/**
 * Returns the path of an image for a JSON response: plain for a photo that everyone can see, signed for the viewer
 * otherwise.
 */
export function buildImagePath(
  image: { name: string; signed?: string; visibility_now: Visibility },
  signer: PathSigner | undefined,
): string {
  if (!signer || (isPublic(image) && !signer.signAvatar)) return buildObjectPath(image.name);
  return signedPath(image.name, signer.grant, signer.now, signer.secret, image.signed);
}

/**
 * Returns the signed query string of another image of the same photo, for the same holder and until the same time.
 */
export function signRelatedImage(
  { text, expires }: ParsedPathGrant,
  name: string,
  secret: GallerySecret,
): string {
  return `?g=${text}&e=${expires}&s=${signPath(secret, name, text, String(expires))}`;
}

/** Returns the grant in a query string if its signature is valid for this object and has not expired. */
export function readPathGrant(
  name: string,
  query: unknown,
  now: number,
  secret: GallerySecret,
): ParsedPathGrant | undefined {
  // A repeated parameter arrives as an array. The server refuses repeated parameters, because checking one value
  // and using another would be unsafe.
  const { g, e, s } = query as Record<string, unknown>;
  if (typeof g !== 'string' || typeof e !== 'string' || typeof s !== 'string') return undefined;
  const grant = grantPattern.exec(g);
  if (!grant || !expiryPattern.test(e) || Number(e) <= now) return undefined;
  if (!isEqual(s, signPath(secret, name, g, e))) return undefined;
  return { kind: grant[1] === 'u' ? 'user' : 'share', id: Number(grant[2]), expires: Number(e), text: g };
}

function signPath(secret: GallerySecret, name: string, grant: string, expires: string): string {
  // The word `image` separates signatures of image paths from others made with the same secret.
  return secret.sign(`image\n${name}\n${grant}\n${expires}`).slice(0, signatureLength);
}

function isEqual(given: string, expected: string): boolean {
  const bytes = Buffer.from(given);
  return bytes.length === expected.length && timingSafeEqual(bytes, Buffer.from(expected));
}
