/** What a tile of a wall is made of, in pages that the server writes: its ratio, its colour, its picture. */
import { thumbHashToAverageRGBA } from 'thumbhash';
import type { PhotoItem } from './schema.ts';

const widths = [320, 640, 960];
/** Of a row on a telephone and on a desk, on the average: what `sizes` is guessed from. */
const rowHeights = { narrow: 130, wide: 250 };

type Shape = Pick<PhotoItem, 'width' | 'height'>;

/** The rules of a tile's class: attributes must hold no style. */
export function tileStyle(photo: Shape & Pick<PhotoItem, 'placeholder'>): string {
  return `--ratio:${ratioOf(photo)};background:${colourOf(photo.placeholder)}`;
}

/** As flexbox and the page in the browser count with it. */
function ratioOf({ width, height }: Shape): string {
  return (width / height).toFixed(4);
}

function colourOf(placeholder: string): string {
  if (placeholder === '') return 'var(--mat)';
  const { r, g, b } = thumbHashToAverageRGBA(Buffer.from(placeholder, 'base64'));
  const byte = (part: number) => Math.round(Math.min(1, Math.max(0, part)) * 255);
  return `rgb(${byte(r)},${byte(g)},${byte(b)})`;
}

export function tileSizes({ width, height }: Shape): string {
  const { narrow, wide } = rowHeights;
  const widthAt = (rowHeight: number) => Math.round((width / height) * rowHeight);
  return `(max-width: 700px) ${widthAt(narrow)}px, ${widthAt(wide)}px`;
}

/** `prefix`: before each path. */
export function tileSources({ image, width }: Pick<PhotoItem, 'image' | 'width'>, prefix = ''): string {
  const fitting = widths.filter((_, index) => index === 0 || widths[index - 1]! < width);
  return fitting
    .map((one) => `${prefix}${image.replace('{width}', String(one))} ${Math.min(one, width)}w`)
    .join(', ');
}
