/** The formats that are accepted. Type and extension follow what the bytes are, never what the client says. */
export const formats = {
  jpeg: { mime: 'image/jpeg', extension: 'jpg' },
  png: { mime: 'image/png', extension: 'png' },
  gif: { mime: 'image/gif', extension: 'gif' },
  webp: { mime: 'image/webp', extension: 'webp' },
  avif: { mime: 'image/avif', extension: 'avif' },
  tiff: { mime: 'image/tiff', extension: 'tif' },
  heic: { mime: 'image/heic', extension: 'heic' },
} as const;

export type Format = keyof typeof formats;

/** What browsers cannot show or `cleanParts` cannot clean. */
export const needsFull: Format[] = ['avif', 'heic', 'tiff'];

/** What browsers show and we write: the formats of renditions and edited images. */
export type OutputFormat = 'jpeg' | 'png' | 'gif' | 'webp';

/** An encoded picture, ready to be stored. */
export interface Encoded {
  data: Buffer;
  format: OutputFormat;
  mime: string;
  extension: string;
  width: number;
  height: number;
}

export function encoded(
  data: Buffer,
  format: OutputFormat,
  size: { width: number; height: number },
): Encoded {
  return { data, format, ...formats[format], width: size.width, height: size.height };
}
