/** Paths of images in answers, as the viewer may open them. */

import type { Secret } from '../../platform/db/secret.ts';
import type { Visibility } from '../../platform/db/states.ts';
import type { Clock } from '../../platform/process/clock.ts';
import { objectName } from '../../platform/storage/keys.ts';
import type { Viewer } from '../identity/viewer.ts';
import { pathFor, type Signer } from './signatures.ts';
import { allSizes, sizeTemplate } from './sizes.ts';

/**
 * Signs for the viewer. Anonymous visitors see no private photos, so they need no signed paths; nor do browsers whose
 * cookie comes along with every image.
 */
export function signerFor(
  { clock, secret }: { clock: Clock; secret: Secret },
  viewer: Viewer | undefined,
): Signer | undefined {
  if (!viewer || viewer.hasCookie) return undefined;
  return { grant: `u${viewer.id}`, now: clock(), secret };
}

export function thumbPath(
  row: { image_key: string; visibility_now: Visibility },
  signer: Signer | undefined,
): string {
  const name = objectName(row.image_key, 'thumb', 'webp');
  return pathFor({ name, visibility_now: row.visibility_now }, signer);
}

export function previewPath(
  row: { image_key: string; preview_extension: string; visibility_now: Visibility },
  signer: Signer | undefined,
): string {
  const name = objectName(row.image_key, 'preview', row.preview_extension);
  return pathFor({ name, visibility_now: row.visibility_now }, signer);
}

/** Of all sizes on demand, with `{width}` where one's width is to stand. */
export function sizesPath(
  row: { image_key: string; visibility_now: Visibility },
  signer: Signer | undefined,
): string {
  const { image_key: key, visibility_now } = row;
  return pathFor({ name: sizeTemplate(key), signed: allSizes(key), visibility_now }, signer);
}

/** An image version's extensions: what its objects are called. */
export interface ImageNames {
  image_kind: string;
  image_extension: string;
  preview_extension: string;
  full_extension: string;
}

/** Name of the object at `path`: what a browser can show in full size. */
export function fullName(key: string, image: ImageNames): string {
  if (image.full_extension) return objectName(key, 'full', image.full_extension);
  return objectName(key, image.image_kind === 'edit' ? 'edit' : 'original', image.image_extension);
}
