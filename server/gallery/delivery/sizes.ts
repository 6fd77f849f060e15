/**
 * Names and bits of the sizes of an image. Each size is rendered at the first request and stored as an object. A
 * number in the image's row has one bit per stored size, so deleting, checking and moving the image includes its
 * sizes.
 */
import type { ImageRow } from '../../platform/db/tables.ts';
import { renditionSpecs } from '../../platform/imaging/renditions.ts';
import type { SizeFormat } from '../../platform/imaging/size.ts';
import {
  objectName,
  parseObjectName,
  type SizeObjectKind,
  type SizeWidth,
  sizeWidths,
} from '../../platform/storage/keys.ts';

const sizeFormats: SizeFormat[] = ['webp', 'jpg'];

/** Longest side in pixels of the card, the JPEG that link previews in chats show. */
const cardSide = 1200;
/** Maximum bytes of a card. Several messengers ignore a picture from 600 kB on. */
export const maxCardBytes = 590_000;

export interface RenderedSizeSpec {
  width: SizeWidth | typeof cardSide;
  format: SizeFormat;
}

const cardSpec: RenderedSizeSpec = { width: cardSide, format: 'jpg' };

/** Returns whether the size is the card, which has a limit for both sides instead of a width. */
export function isCard({ width }: RenderedSizeSpec): boolean {
  return width === cardSide;
}

/** Returns width and height in pixels of the card of a picture. */
export function computeCardSize({ width, height }: Pick<ImageRow, 'width' | 'height'>) {
  const scale = Math.min(1, cardSide / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** Returns the size that an object name denotes, or undefined for another kind of object or another format. */
export function parseSizeName(kind: string, extension: string): RenderedSizeSpec | undefined {
  if (kind === 'card') return extension === cardSpec.format ? cardSpec : undefined;
  const width = widthOfKind.get(kind);
  const format = width && sizeFormats.find((format) => format === extension);
  return width && format && { width, format };
}

const widthOfKind = new Map<string, SizeWidth>(sizeWidths.map((width) => [objectKindForWidth(width), width]));

function objectKindForWidth(width: SizeWidth): SizeObjectKind {
  return `w${width}`;
}

export function buildSizeName(key: string, { width, format }: RenderedSizeSpec): string {
  return objectName(key, width === cardSide ? 'card' : objectKindForWidth(width), format);
}

/** Returns whether a name is that of a size, which the server can render again. */
export function isSizeName(name: string): boolean {
  const { kind = '', extension = '' } = parseObjectName(name) ?? {};
  return parseSizeName(kind, extension) !== undefined;
}

/**
 * Returns the size under which a picture is stored. Widths beyond the picture's width would all give the same
 * picture, so the smallest of these widths is used for them.
 */
export function chooseStoredSize(
  image: Pick<ImageRow, 'width'>,
  { width, format }: RenderedSizeSpec,
): RenderedSizeSpec {
  if (width === cardSide) return cardSpec;
  const whole = sizeWidths.find((width) => width >= image.width) ?? width;
  return { width: whole < width ? whole : width, format };
}

/** Returns the bit of a size in `images.sizes`. A format that is added later gets bits after that of the card. */
export function getSizeBit({ width, format }: RenderedSizeSpec): number {
  if (width === cardSide) return 1 << (2 * sizeWidths.length);
  return 1 << (sizeFormats.indexOf(format) * sizeWidths.length + sizeWidths.indexOf(width));
}

export function hasRenderedSize({ sizes }: Pick<ImageRow, 'sizes'>, size: RenderedSizeSpec): boolean {
  return (sizes & getSizeBit(size)) !== 0;
}

/**
 * Returns whether the size had more bytes than the image's file when it was rendered. The server does not store
 * such a size (ADR 50).
 */
export function isSizeOversized({ oversized }: Pick<ImageRow, 'oversized'>, size: RenderedSizeSpec): boolean {
  return (oversized & getSizeBit(size)) !== 0;
}

/** Returns the object names of an image's stored sizes. */
export function listStoredSizeNames(image: Pick<ImageRow, 'key' | 'sizes'>): string[] {
  if (!image.sizes) return [];
  const widths = sizeFormats.flatMap((format) => sizeWidths.map((width) => ({ width, format })));
  return [...widths, cardSpec]
    .filter((size) => hasRenderedSize(image, size))
    .map((size) => buildSizeName(image.key, size));
}

/**
 * Returns the text that the signature of a size covers. One signature is valid for all widths and formats of an
 * image.
 */
export function buildSizeSignatureText(key: string): string {
  return `${key}.w`;
}

/** Returns the path of a photo's card from the path of its sizes. One signature is valid for both. */
export function cardPath(sizesPath: string): string {
  return sizesPath.replace('.w{width}.webp', '.card.jpg');
}

/** Returns the object name of the sizes with the literal `{width}` as a placeholder. */
export function buildSizeNameTemplate(key: string): string {
  return `${key}.w{width}.webp`;
}

/**
 * Returns whether the server can render a size from the preview. Sizes of an animation always come from its
 * preview.
 */
export function canRenderFromPreview(
  image: Pick<ImageRow, 'width' | 'height' | 'frames'>,
  { width }: RenderedSizeSpec,
): boolean {
  if (width === cardSide) return true;
  const { side } = renditionSpecs.preview;
  const scale = Math.min(1, side / Math.max(image.width, image.height));
  return image.frames > 1 || Math.round(image.width * scale) >= Math.min(width, image.width);
}
