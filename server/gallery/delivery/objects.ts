/** Lists the objects of an image version and their extensions. */
import type { ImageRow } from '../../platform/db/tables.ts';
import { imageFormats } from '../../platform/imaging/formats.ts';
import { type ObjectKind, objectName } from '../../platform/storage/keys.ts';
import { listStoredSizeNames } from './sizes.ts';

type ImageFiles = Pick<ImageRow, 'key' | 'kind' | 'extension' | 'preview_extension' | 'full_extension'>;
type AllFiles = ImageFiles & Pick<ImageRow, 'sizes'>;

const thumbExtension = 'webp';
const kindsOfImage = ['original', 'edit', 'full', 'preview', 'thumb'] as const satisfies ObjectKind[];

/** Returns the names of all objects of an image version, including its rendered sizes. */
export function listImageObjectNames(image: AllFiles): string[] {
  return [...initialObjectNames(image), ...listStoredSizeNames(image)];
}

/** Returns the names of the objects that an image version has from its creation. */
function initialObjectNames(image: ImageFiles): string[] {
  return kindsOfImage.flatMap((kind) => {
    const extension = extensionOf(image, kind);
    return extension === '' ? [] : [objectName(image.key, kind, extension)];
  });
}

/**
 * Returns the extension of the version's object of this kind, or '' if the version has no such object. Sizes have
 * several extensions (sizes.ts).
 */
export function extensionOf(image: Omit<ImageFiles, 'key'>, kind: ObjectKind): string {
  switch (kind) {
    case 'original':
    case 'edit':
      return image.kind === kind ? image.extension : '';
    case 'full':
      return image.full_extension;
    case 'preview':
      return image.preview_extension;
    case 'thumb':
      return thumbExtension;
    default:
      return '';
  }
}

const byExtension = new Map<string, string>(
  Object.values(imageFormats).map(({ extension, mime }) => [extension, mime]),
);

/**
 * Returns the media type of an extension. An unknown extension is sent as plain bytes, which browsers do not
 * display.
 */
export function mimeOf(extension: string): string {
  return byExtension.get(extension) ?? 'application/octet-stream';
}
