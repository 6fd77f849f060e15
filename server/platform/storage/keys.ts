/** Names of objects: `<key>.<kind>.<extension>`, where the key cannot be guessed. */
import { randomBytes } from 'node:crypto';

/** `piece`: of an upload that has not ended; it is never sent. */
const objectKinds = ['original', 'edit', 'full', 'preview', 'thumb', 'avatar', 'piece'] as const;

/** Pixels of the sizes that are made on demand: kinds `w320` to `w2560`. */
export const sizeWidths = [320, 640, 960, 1280, 1920, 2560] as const;
export type SizeWidth = (typeof sizeWidths)[number];
export type SizeKind = `w${SizeWidth}`;

export type ObjectKind = (typeof objectKinds)[number] | SizeKind;

export interface ObjectName {
  key: string;
  kind: ObjectKind;
  extension: string;
}

const kinds = [...objectKinds, ...sizeWidths.map((width) => `w${width}`)];
const pattern = new RegExp(`^([0-9a-f]{32})\\.(${kinds.join('|')})\\.([a-z0-9]{1,5})$`);

/** 128 random bits, hex: safe on file systems without case. */
export function newKey(): string {
  return randomBytes(16).toString('hex');
}

export function objectName(key: string, kind: ObjectKind, extension: string): string {
  return `${key}.${kind}.${extension}`;
}

/**
 * Where it is served. Joined to one flat text: a text made by `+` is a chain of its pieces, and `JSON.stringify` takes
 * twice as long for a list with such texts.
 */
export function objectPath(name: string, ...query: string[]): string {
  return ['/storage/', name, ...query].join('');
}

/** Undefined for everything that is not exactly an object's name, `..` and `%00` included. */
export function parseObjectName(name: string): ObjectName | undefined {
  const match = pattern.exec(name);
  if (!match) return undefined;
  return { key: match[1]!, kind: match[2] as ObjectKind, extension: match[3]! };
}

/** Names come from rows and URLs; what is not exactly an object's name never becomes a path. */
export function checkedName(name: string): string {
  if (!parseObjectName(name)) throw new Error('not the name of an object');
  return name;
}
