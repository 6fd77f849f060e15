/**
 * Sizes on demand: pictures of some widths, made when one is first asked for, and kept as objects of their image. Which
 * of them are there the image's row says, in one number: so they are removed, checked and carried with it.
 */
import type { ImageRow } from '../../platform/db/tables.ts';
import { renditionSpecs } from '../../platform/imaging/renditions.ts';
import type { SizeFormat } from '../../platform/imaging/size.ts';
import {
  objectName,
  parseObjectName,
  type SizeKind,
  type SizeWidth,
  sizeWidths,
} from '../../platform/storage/keys.ts';

const sizeFormats: SizeFormat[] = ['webp', 'jpg'];

export interface Size {
  width: SizeWidth;
  format: SizeFormat;
}

/** Undefined for what no image has: another kind of object, or another format. */
export function findSize(kind: string, extension: string): Size | undefined {
  const width = widthOfKind.get(kind);
  const format = width && sizeFormats.find((format) => format === extension);
  return width && format && { width, format };
}

const widthOfKind = new Map<string, SizeWidth>(sizeWidths.map((width) => [kindOf(width), width]));

function kindOf(width: SizeWidth): SizeKind {
  return `w${width}`;
}

export function sizeName(key: string, { width, format }: Size): string {
  return objectName(key, kindOf(width), format);
}

/** What can be made again. */
export function isSizeName(name: string): boolean {
  const { kind = '', extension = '' } = parseObjectName(name) ?? {};
  return findSize(kind, extension) !== undefined;
}

/** The same picture under one name only: of the widths that are no smaller than the picture, the smallest. */
export function fittingSize(image: Pick<ImageRow, 'width'>, { width, format }: Size): Size {
  const whole = sizeWidths.find((width) => width >= image.width) ?? width;
  return { width: whole < width ? whole : width, format };
}

/** Bits of `images.sizes`. A format that is added later takes bits of its own. */
export function bitOf({ width, format }: Size): number {
  return 1 << (sizeFormats.indexOf(format) * sizeWidths.length + sizeWidths.indexOf(width));
}

export function hasSize({ sizes }: Pick<ImageRow, 'sizes'>, size: Size): boolean {
  return (sizes & bitOf(size)) !== 0;
}

/** Whether the size was rendered once and had more bytes than the image's file: it is not stored (ADR 50). */
export function isOversized({ oversized }: Pick<ImageRow, 'oversized'>, size: Size): boolean {
  return (oversized & bitOf(size)) !== 0;
}

/** Names of those that are there. */
export function sizesOf(image: Pick<ImageRow, 'key' | 'sizes'>): string[] {
  if (!image.sizes) return [];
  const all = sizeFormats.flatMap((format) => sizeWidths.map((width) => ({ width, format })));
  return all.filter((size) => hasSize(image, size)).map((size) => sizeName(image.key, size));
}

/** What signatures name instead of one width: one signature covers all widths and formats of an image. */
export function allSizes(key: string): string {
  return `${key}.w`;
}

/** With the literal `{width}`. */
export function sizeTemplate(key: string): string {
  return `${key}.w{width}.webp`;
}

/** Whether it can be made of the preview; an animation's always is, whatever width its frames have there. */
export function isOfPreview(image: Pick<ImageRow, 'width' | 'height' | 'frames'>, { width }: Size): boolean {
  const { side } = renditionSpecs.preview;
  const scale = Math.min(1, side / Math.max(image.width, image.height));
  return image.frames > 1 || Math.round(image.width * scale) >= Math.min(width, image.width);
}
