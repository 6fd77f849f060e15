/** The sizes that a browser may choose from. */
import { renditionSpecs } from '../../../platform/imaging/render/renditions.ts';
import type { Photo } from '../../photos/schema.ts';

interface Size {
  width: number;
  height: number;
}

/** `address` makes of a path what the page writes. */
export function srcset(photo: Photo, address: (path: string) => string): string {
  const thumb = within(photo, renditionSpecs.thumb.side);
  const preview = previewSize(photo);
  // A small picture is its own preview; two candidates of one width would be an error.
  if (thumb.width === preview.width) return `${address(photo.preview)} ${preview.width}w`;
  return `${address(photo.thumb)} ${thumb.width}w, ${address(photo.preview)} ${preview.width}w`;
}

export function previewSize(photo: Size): Size {
  return within(photo, renditionSpecs.preview.side);
}

function within({ width, height }: Size, side: number): Size {
  const scale = Math.min(1, side / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}
