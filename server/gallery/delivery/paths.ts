/** Builds the paths of images in responses, signed for the viewer if necessary. */

import type { GallerySecret } from '../../platform/db/secret.ts';
import type { Visibility } from '../../platform/db/states.ts';
import type { Clock } from '../../platform/process/clock.ts';
import { objectName } from '../../platform/storage/keys.ts';
import type { Viewer } from '../identity/viewer.ts';
import { buildImagePath, createPathSigner, type PathSigner } from './signatures.ts';
import { buildSizeNameTemplate, buildSizeSignatureText } from './sizes.ts';

/**
 * Returns the signer of paths for the viewer, or undefined if the viewer needs no signed paths. Anonymous visitors
 * see no private photos, and browsers send their cookie with each image.
 */
export function createViewerPathSigner(
  deps: { clock: Clock; secret: GallerySecret },
  viewer: Viewer | undefined,
): PathSigner | undefined {
  if (!viewer || viewer.hasCookie) return undefined;
  return createPathSigner(deps, `u${viewer.id}`, viewer.isMembersOnly === true);
}

export function thumbPath(
  row: { image_key: string; visibility_now: Visibility },
  signer: PathSigner | undefined,
): string {
  const name = objectName(row.image_key, 'thumb', 'webp');
  return buildImagePath({ name, visibility_now: row.visibility_now }, signer);
}

export function previewPath(
  row: { image_key: string; preview_extension: string; visibility_now: Visibility },
  signer: PathSigner | undefined,
): string {
  const name = objectName(row.image_key, 'preview', row.preview_extension);
  return buildImagePath({ name, visibility_now: row.visibility_now }, signer);
}

/** Returns the path of all sizes of an image. The client replaces `{width}` in the path with a width. */
export function buildSizesPath(
  row: { image_key: string; visibility_now: Visibility },
  signer: PathSigner | undefined,
): string {
  const { image_key: key, visibility_now } = row;
  return buildImagePath(
    { name: buildSizeNameTemplate(key), signed: buildSizeSignatureText(key), visibility_now },
    signer,
  );
}

/** Columns of an image version that determine the names of its objects. */
export interface ImageNameColumns {
  image_kind: string;
  image_extension: string;
  preview_extension: string;
  full_extension: string;
}

/**
 * Returns the name of the largest picture of a version that browsers can show, to which `path` in a photo's JSON
 * points.
 */
export function getFullPictureName(key: string, image: ImageNameColumns): string {
  if (image.full_extension) return objectName(key, 'full', image.full_extension);
  return objectName(key, image.image_kind === 'edit' ? 'edit' : 'original', image.image_extension);
}
