/** Sources of the large picture of a photo page, the same in the document and in the viewer of the browser. */
import type { PhotoItem } from '../photos/schema.ts';

const stageWidths = [640, 960, 1280, 1920, 2560];

/** Returns a `srcset` with the widths up to the first that is not smaller than the picture. */
export function buildStageSrcset({ image, width }: Pick<PhotoItem, 'image' | 'width'>): string {
  return stageWidths
    .filter((_, index) => index === 0 || stageWidths[index - 1]! < width)
    .map((one) => `${image.replace('{width}', String(one))} ${Math.min(one, width)}w`)
    .join(', ');
}

/** Returns the attribute `sizes` of a picture that fits into the window (`.stage img` in frame.css) and is not enlarged. */
export function buildStageSizes({ width, height }: Pick<PhotoItem, 'width' | 'height'>): string {
  return `min(100vw + 2px, ${((width / height) * 100).toFixed(2)}vh + 2px, ${width}px)`;
}
