/** Which objects a version of a photo's picture consists of. */
import type { ImageRow } from '../../platform/db/tables.ts';
import { formats } from '../../platform/imaging/formats.ts';
import { type ObjectKind, objectName } from '../../platform/storage/keys.ts';

type ImageFiles = Pick<ImageRow, 'key' | 'kind' | 'extension' | 'preview_extension' | 'full_extension'>;

const thumbExtension = 'webp';
const kindsOfImage = ['original', 'edit', 'full', 'preview', 'thumb'] as const satisfies ObjectKind[];

/** Names of all objects of this version. */
export function objectsOf(image: ImageFiles): string[] {
  return kindsOfImage.flatMap((kind) => {
    const extension = extensionOf(image, kind);
    return extension === '' ? [] : [objectName(image.key, kind, extension)];
  });
}

/** The extension of the version's object of this kind, '' when it has none. */
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
    case 'avatar':
    case 'piece':
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
