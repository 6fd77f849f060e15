/**
 * Paths of images. Those of public photos are plain; all others carry to whom they were handed (`g`), until when
 * they hold (`e`) and a signature (`s`). The photo's row still decides at every request: see access.ts.
 */

import { timingSafeEqual } from 'node:crypto';
import type { Secret } from '../../platform/db/secret.ts';
import type { Visibility } from '../../platform/db/states.ts';
import type { ShareRow } from '../../platform/db/tables.ts';
import { objectPath } from '../../platform/storage/keys.ts';
import { isPublic } from '../library/permissions.ts';

/** A viewer (`u` and the user's id) or the holders of a share (`s`, the share's id, and a mark of its password). */
export type Grant = `u${number}` | `s${number}` | `s${number}-${string}`;

/** Who gets the paths of one answer, and when. */
export interface Signer {
  grant: Grant;
  /** Unix seconds. */
  now: number;
  secret: Secret;
}

export interface ReadGrant {
  kind: 'user' | 'share';
  id: number;
  /** Unix seconds. */
  expires: number;
  /** As it stands in the path. */
  text: string;
}

/** The same path for an hour, so that browsers find it in their cache; valid for one to two hours. */
const period = 3600;
/** Characters of base64url: 132 bits of HMAC-SHA256. */
const signatureLength = 22;

/** Characters of the mark. */
const markLength = 8;

const grantPattern = /^([us])([1-9]\d{0,14})(?:-[\w-]{8})?$/;
const expiryPattern = /^[1-9]\d{0,10}$/;

/**
 * A path that shows the image to the grant's holder for an hour at least. `signed`: what the signature is of, where that
 * is not the name alone.
 */
export function signedPath(name: string, grant: Grant, now: number, secret: Secret, signed = name): string {
  const expires = (Math.floor(now / period) + 2) * period;
  const id = `${name} ${grant} ${expires}`;
  // A list page has up to a hundred paths, the same ones for an hour: to keep them costs a tenth.
  const known = secret.recent.get(id);
  if (known) return known;
  const path = objectPath(name, `?g=${grant}&e=${expires}&s=${sign(secret, signed, grant, String(expires))}`);
  secret.recent.set(id, path);
  return path;
}

/** Of the holders of a share. What was given for one password ends with another, as with the share. */
export function shareGrant(
  { id, password_hash }: Pick<ShareRow, 'id' | 'password_hash'>,
  secret: Secret,
): Grant {
  if (password_hash === '') return `s${id}`;
  return `s${id}-${secret.sign(`share's password\n${password_hash}`).slice(0, markLength)}`;
}

/** What presenters call: plain for a public photo's image, signed for the viewer otherwise. */
export function pathFor(
  image: { name: string; signed?: string; visibility_now: Visibility },
  signer: Signer | undefined,
): string {
  if (isPublic(image) || !signer) return objectPath(image.name);
  return signedPath(image.name, signer.grant, signer.now, signer.secret, image.signed);
}

/** The query that lends another image of the same photo to the same holder, until the same time. */
export function passOn({ text, expires }: ReadGrant, name: string, secret: Secret): string {
  return `?g=${text}&e=${expires}&s=${sign(secret, name, text, String(expires))}`;
}

/** The grant that a query carries, if its signature is ours, for this very object, and has not expired. */
export function readGrant(name: string, query: unknown, now: number, secret: Secret): ReadGrant | undefined {
  // A parameter given twice arrives as an array: refused, rather than checking one copy and using another.
  const { g, e, s } = query as Record<string, unknown>;
  if (typeof g !== 'string' || typeof e !== 'string' || typeof s !== 'string') return undefined;
  const grant = grantPattern.exec(g);
  if (!grant || !expiryPattern.test(e) || Number(e) <= now) return undefined;
  if (!isEqual(s, sign(secret, name, g, e))) return undefined;
  return { kind: grant[1] === 'u' ? 'user' : 'share', id: Number(grant[2]), expires: Number(e), text: g };
}

function sign(secret: Secret, name: string, grant: string, expires: string): string {
  // The first word keeps these signatures apart from others made with the same secret.
  return secret.sign(`image\n${name}\n${grant}\n${expires}`).slice(0, signatureLength);
}

function isEqual(given: string, expected: string): boolean {
  const bytes = Buffer.from(given);
  return bytes.length === expected.length && timingSafeEqual(bytes, Buffer.from(expected));
}
