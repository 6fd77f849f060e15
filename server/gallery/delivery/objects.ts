/** Which objects a version of a photo's picture consists of. */
import type { ImageRow } from '../../platform/db/tables.ts';
import { formats } from '../../platform/imaging/formats.ts';
import { type ObjectKind, objectName } from '../../platform/storage/keys.ts';
import { sizesOf } from './sizes.ts';

type ImageFiles = Pick<ImageRow, 'key' | 'kind' | 'extension' | 'preview_extension' | 'full_extension'>;
type AllFiles = ImageFiles & Pick<ImageRow, 'sizes'>;

const thumbExtension = 'webp';
const kindsOfImage = ['original', 'edit', 'full', 'preview', 'thumb'] as const satisfies ObjectKind[];

/** Names of all objects of this version, with the sizes that were made of it. */
export function objectsOf(image: AllFiles): string[] {
  return [...lastingObjectsOf(image), ...sizesOf(image)];
}

/** Those that it has from the beginning. */
function lastingObjectsOf(image: ImageFiles): string[] {
  return kindsOfImage.flatMap((kind) => {
    const extension = extensionOf(image, kind);
    return extension === '' ? [] : [objectName(image.key, kind, extension)];
  });
}

/** The extension of the version's object of this kind, '' when it has none. Sizes have several: see sizes.ts. */
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
  Object.values(formats).map(({ extension, mime }) => [extension, mime]),
);

/** What is not known is served as bytes, which browsers do not show. */
export function mimeOf(extension: string): string {
  return byExtension.get(extension) ?? 'application/octet-stream';
}
