/** Names of objects: `<key>.<kind>.<extension>`. The key cannot be guessed. */
import { randomBytes } from 'node:crypto';

/**
 * Kinds of objects. A `piece` is a part of an unfinished upload and is never sent to clients. A `card` is the picture of
 * a link preview.
 */
const objectKinds = ['original', 'edit', 'full', 'preview', 'thumb', 'card', 'avatar', 'piece'] as const;

/** Widths in pixels of the sizes that are rendered on demand, kinds `w320` to `w2560`. */
export const sizeWidths = [320, 640, 960, 1280, 1920, 2560] as const;
export type SizeWidth = (typeof sizeWidths)[number];
export type SizeObjectKind = `w${SizeWidth}`;

export type ObjectKind = (typeof objectKinds)[number] | SizeObjectKind;

export interface ObjectName {
  key: string;
  kind: ObjectKind;
  extension: string;
}

const allObjectKinds = [...objectKinds, ...sizeWidths.map((width) => `w${width}`)];
const objectNamePattern = new RegExp(`^([0-9a-f]{32})\\.(${allObjectKinds.join('|')})\\.([a-z0-9]{1,5})$`);

/** Returns a random key of 128 bits in hex, so it is safe on file systems that ignore case. */
export function createObjectKey(): string {
  return randomBytes(16).toString('hex');
}

export function objectName(key: string, kind: ObjectKind, extension: string): string {
  return `${key}.${kind}.${extension}`;
}

/**
 * Returns the URL path of an object. `join` creates a flat string; `+` would create a chain of pieces, and
 * `JSON.stringify` takes twice as long for lists of such chains.
 */
export function buildObjectPath(name: string, ...query: string[]): string {
  return ['/storage/', name, ...query].join('');
}

/** Parses an object's name. Returns undefined for any other text, such as `..` or `%00`. */
export function parseObjectName(name: string): ObjectName | undefined {
  const match = objectNamePattern.exec(name);
  if (!match) return undefined;
  return { key: match[1]!, kind: match[2] as ObjectKind, extension: match[3]! };
}

/**
 * Returns the name if it is a valid object name, and throws otherwise. Names come from rows and URLs, and no other text
 * may become a file path.
 */
export function checkObjectName(name: string): string {
  if (!parseObjectName(name)) throw new Error('not a valid object name');
  return name;
}
