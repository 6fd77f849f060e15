/** Size, color and image sources of a photo's tile in pages that the server renders. */
import { thumbHashToAverageRGBA } from 'thumbhash';
import type { PhotoItem } from './schema.ts';
import { getTileRatio } from './tile-ratio.ts';

const tileWidths = [320, 640, 960];
/** Average height in pixels of a row on phones and on wide screens, used for the attribute `sizes`. */
const rowHeights = { narrow: 130, wide: 250 };

type Shape = Pick<PhotoItem, 'width' | 'height'>;

/** Returns the CSS rules of a tile's class, because the security policy forbids style attributes. */
export function tileStyle(photo: Shape & Pick<PhotoItem, 'placeholder'>): string {
  return `--ratio:${ratioText(photo)};background:${placeholderColor(photo.placeholder)}`;
}

/** Returns the aspect ratio as text with four decimals, like the script of the web gallery. */
function ratioText(photo: Shape): string {
  return getTileRatio(photo).toFixed(4);
}

function placeholderColor(placeholder: string): string {
  if (placeholder === '') return 'var(--mat)';
  const { r, g, b } = thumbHashToAverageRGBA(Buffer.from(placeholder, 'base64'));
  const byte = (part: number) => Math.round(Math.min(1, Math.max(0, part)) * 255);
  return `rgb(${byte(r)},${byte(g)},${byte(b)})`;
}

export function buildTileSizesAttribute(photo: Shape): string {
  const { narrow, wide } = rowHeights;
  const widthAt = (rowHeight: number) => Math.round(getTileRatio(photo) * rowHeight);
  return `(max-width: 700px) ${widthAt(narrow)}px, ${widthAt(wide)}px`;
}

/** Returns the attribute `srcset` of a tile. `prefix` is added before each path. */
export function buildTileSrcset({ image, width }: Pick<PhotoItem, 'image' | 'width'>, prefix = ''): string {
  const fitting = tileWidths.filter((_, index) => index === 0 || tileWidths[index - 1]! < width);
  return fitting
    .map((one) => `${prefix}${image.replace('{width}', String(one))} ${Math.min(one, width)}w`)
    .join(', ');
}
