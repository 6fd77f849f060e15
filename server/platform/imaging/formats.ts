/** Accepted image formats. MIME type and extension follow from the file's bytes, never from what the client says. */
export const imageFormats = {
  jpeg: { mime: 'image/jpeg', extension: 'jpg' },
  png: { mime: 'image/png', extension: 'png' },
  gif: { mime: 'image/gif', extension: 'gif' },
  webp: { mime: 'image/webp', extension: 'webp' },
  avif: { mime: 'image/avif', extension: 'avif' },
  tiff: { mime: 'image/tiff', extension: 'tif' },
  heic: { mime: 'image/heic', extension: 'heic' },
} as const;

export type ImageFormat = keyof typeof imageFormats;

/** Formats that browsers cannot show or that `computeCleanParts` cannot clean. */
export const formatsNeedingFullRendition: ImageFormat[] = ['avif', 'heic', 'tiff'];

/** Formats of renditions and edited images, which all browsers can show. */
export type OutputFormat = 'jpeg' | 'png' | 'gif' | 'webp';

export interface EncodedImage {
  data: Buffer;
  format: OutputFormat;
  mime: string;
  extension: string;
  width: number;
  height: number;
}

export function toEncodedImage(
  data: Buffer,
  format: OutputFormat,
  size: { width: number; height: number },
): EncodedImage {
  return { data, format, ...imageFormats[format], width: size.width, height: size.height };
}

/** Number of bytes that `sniffImageFormat` needs. No camera writes a file type box with more brands than fit into these bytes. */
export const formatSniffBytes = 256;

const heicBrands = ['heic', 'heix', 'heim', 'heis'];

/** Returns the format by the first bytes, or undefined for a format that is not accepted, such as SVG, PDF or video. */
export function sniffImageFormat(head: Buffer): ImageFormat | undefined {
  if (startsWith(head, 0xff, 0xd8, 0xff)) return 'jpeg';
  if (startsWith(head, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'png';
  const text = head.toString('latin1', 0, 12);
  if (text.startsWith('GIF87a') || text.startsWith('GIF89a')) return 'gif';
  if (text.startsWith('RIFF') && text.endsWith('WEBP')) return 'webp';
  if (startsWith(head, 0x49, 0x49, 0x2a, 0x00) || startsWith(head, 0x4d, 0x4d, 0x00, 0x2a)) return 'tiff';
  if (text.slice(4, 8) === 'ftyp') return sniffBrands(readBrands(head));
  return undefined;
}

/**
 * Distinguishes HEIC and AVIF, which share a container, by their brands. Image sequences (`avis`) are refused, because
 * all but one frame would be lost.
 */
function sniffBrands(brands: string[]): ImageFormat | undefined {
  if (brands.includes('avis')) return undefined;
  if (brands.includes('avif')) return 'avif';
  return brands.some((brand) => heicBrands.includes(brand)) ? 'heic' : undefined;
}

function readBrands(head: Buffer): string[] {
  const end = Math.min(head.readUInt32BE(0), head.length);
  const brands = [head.toString('latin1', 8, 12)];
  for (let at = 16; at + 4 <= end; at += 4) brands.push(head.toString('latin1', at, at + 4));
  return brands;
}

function startsWith(head: Buffer, ...bytes: number[]): boolean {
  return head.length > bytes.length && bytes.every((byte, index) => head[index] === byte);
}
