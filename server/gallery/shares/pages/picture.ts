/** Sizes of the picture of a shared photo. */
import { renditionSpecs } from '../../../platform/imaging/renditions.ts';
import type { Photo } from '../../photos/schema.ts';

interface Size {
  width: number;
  height: number;
}

/** Widths in pixels between the thumbnail and the preview, which the server renders at upload. */
const shownWidths = [640, 960, 1280] as const;

/** Returns the attribute `srcset` of a photo. `address` converts a path into the URL in the page. */
export function buildSrcset(photo: Photo, address: (path: string) => string): string {
  const thumb = fitWithin(photo, renditionSpecs.thumb.side).width;
  const preview = computePreviewSize(photo).width;
  const sizes = shownWidths.filter((width) => width > thumb && width < preview);
  return [
    // The preview of a small photo has the width of its thumbnail, and two candidates of the same width would be an
    // error.
    ...(thumb < preview ? [`${address(photo.thumb)} ${thumb}w`] : []),
    ...sizes.map((width) => `${address(photo.image.replace('{width}', String(width)))} ${width}w`),
    `${address(photo.preview)} ${preview}w`,
  ].join(', ');
}

export function computePreviewSize(photo: Size): Size {
  return fitWithin(photo, renditionSpecs.preview.side);
}

function fitWithin({ width, height }: Size, side: number): Size {
  const scale = Math.min(1, side / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}
