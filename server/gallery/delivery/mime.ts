/** Media types of stored files, by the extension that we gave them. */
import { formats } from '../../platform/imaging/formats.ts';

const byExtension = new Map<string, string>(
  Object.values(formats).map(({ extension, mime }) => [extension, mime]),
);

/** What is not known is served as bytes, which browsers do not show. */
export function mimeOf(extension: string): string {
  return byExtension.get(extension) ?? 'application/octet-stream';
}
