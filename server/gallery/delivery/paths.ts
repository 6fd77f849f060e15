/** Builds the paths of images in responses, signed for the viewer if necessary. */

import type { Secret } from '../../platform/db/secret.ts';
import type { Visibility } from '../../platform/db/states.ts';
import type { Clock } from '../../platform/process/clock.ts';
import { objectName } from '../../platform/storage/keys.ts';
import type { Viewer } from '../identity/viewer.ts';
import { createSigner, pathFor, type Signer } from './signatures.ts';
import { allSizeNames, sizeTemplate } from './sizes.ts';

/**
 * Returns the signer of paths for the viewer, or undefined if the viewer needs no signed paths. Anonymous visitors
 * see no private photos, and browsers send their cookie with each image.
 */
export function signerFor(
  deps: { clock: Clock; secret: Secret },
  viewer: Viewer | undefined,
): Signer | undefined {
  if (!viewer || viewer.hasCookie) return undefined;
  return createSigner(deps, `u${viewer.id}`, viewer.isMembersOnly === true);
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

/** Returns the path of all sizes of an image. The client replaces `{width}` in the path with a width. */
export function sizesPath(
  row: { image_key: string; visibility_now: Visibility },
  signer: Signer | undefined,
): string {
  const { image_key: key, visibility_now } = row;
  return pathFor({ name: sizeTemplate(key), signed: allSizeNames(key), visibility_now }, signer);
}

/** Columns of an image version that determine the names of its objects. */
export interface ImageNames {
  image_kind: string;
  image_extension: string;
  preview_extension: string;
  full_extension: string;
}

/**
 * Returns the name of the largest picture of a version that browsers can show, to which `path` in a photo's JSON
 * points.
 */
export function fullName(key: string, image: ImageNames): string {
  if (image.full_extension) return objectName(key, 'full', image.full_extension);
  return objectName(key, image.image_kind === 'edit' ? 'edit' : 'original', image.image_extension);
}
