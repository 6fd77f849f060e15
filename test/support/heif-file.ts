/** Writes AVIF files box by box, so that a test can create files that no encoder would write. */
import type { AvifOptions, Sharp } from 'sharp';
import { createSolid } from './hostile-pictures.ts';

export interface HeifItem {
  /** Type of the item: `av01`, `grid`, `Exif` or `mime`. */
  type: string;
  data?: Buffer;
  /** Text after the name in `infe`: content type and encoding of a `mime` item, each with a NUL. */
  info?: string;
  properties?: Buffer[];
  /** Positions of the data in the file, if it does not follow the item table. */
  extents?: [start: number, length: number][];
}

export interface HeifReference {
  type: string;
  from: number;
  to: number[];
}

/** Creates a HEIF file. Items get the numbers 1, 2, 3, and the first item is the primary item. */
export function createHeifFile(
  items: HeifItem[],
  references: HeifReference[] = [],
  brand: 'avif' | 'heic' = 'avif',
): Buffer {
  const head = createBox('ftyp', Buffer.from(`${brand}\0\0\0\0${brand}mif1miaf`, 'latin1'));
  const draft = createMetaBox(items, references, 0);
  const data = items.map(({ data = Buffer.alloc(0) }) => data);
  return Buffer.concat([
    head,
    createMetaBox(items, references, head.length + draft.length + 8),
    createBox('mdat', ...data),
  ]);
}

export function createBox(type: string, ...content: Buffer[]): Buffer {
  const all = Buffer.concat([Buffer.alloc(8), ...content]);
  all.writeUInt32BE(all.length, 0);
  all.write(type, 4, 'latin1');
  return all;
}

function encodeNumbers(size: 1 | 2 | 4, ...values: number[]): Buffer {
  const bytes = Buffer.alloc(size * values.length);
  for (const [index, value] of values.entries()) bytes.writeUIntBE(value, index * size, size);
  return bytes;
}

export function createSizeProperty(width: number, height = width): Buffer {
  return createBox('ispe', encodeNumbers(4, 0, width, height));
}

export function createAlphaProperty(): Buffer {
  const name = 'urn:mpeg:mpegB:cicp:systems:auxiliary:alpha';
  return createBox('auxC', Buffer.from(`\0\0\0\0${name}\0`, 'latin1'));
}

/** Returns the data of a grid item. */
export function createGridData(rows: number, columns: number, width: number, height = width): Buffer {
  return Buffer.concat([encodeNumbers(1, 0, 0, rows - 1, columns - 1), encodeNumbers(2, width, height)]);
}

/** Returns a color box with the numbers of ITU-T H.273. */
export function createColorNumbersProperty(primaries: number, transfer: number, matrix = 6): Buffer {
  const numbers = encodeNumbers(2, primaries, transfer, matrix);
  return createBox('colr', Buffer.from('nclx', 'latin1'), numbers, Buffer.from([0x80]));
}

/** Returns a color box with an ICC profile. */
export function createProfileProperty(profile: Buffer): Buffer {
  return createBox('colr', Buffer.from('prof', 'latin1'), profile);
}

/** Encodes a square with sharp, and returns its AV1 data and its `av1C` box. */
export async function encodeSquare(side: number): Promise<{ data: Buffer; configuration: Buffer }> {
  return await encodeAv1(createSolid({ width: side, height: side }), { quality: 30 });
}

/** Encodes a picture with sharp, and returns its AV1 data and its `av1C` box. */
export async function encodeAv1(
  image: Sharp,
  options: AvifOptions,
): Promise<{ data: Buffer; configuration: Buffer }> {
  const avif = await image.avif({ effort: 0, ...options }).toBuffer();
  const at = avif.indexOf('av1C', 0, 'latin1') - 4;
  const data = avif.subarray(avif.indexOf('mdat', 0, 'latin1') + 4);
  return { data, configuration: avif.subarray(at, at + avif.readUInt32BE(at)) };
}

function createMetaBox(items: HeifItem[], references: HeifReference[], dataStart: number): Buffer {
  return createBox(
    'meta',
    encodeNumbers(4, 0),
    createBox('hdlr', encodeNumbers(4, 0, 0), Buffer.from('pict'.padEnd(17, '\0'))),
    createBox('pitm', encodeNumbers(4, 0), encodeNumbers(2, 1)),
    createLocationBox(items, dataStart),
    createBox('iinf', encodeNumbers(4, 0), encodeNumbers(2, items.length), ...items.map(createItemInfo)),
    createBox('iref', encodeNumbers(4, 0), ...references.map(createReference)),
    createPropertiesBox(items),
  );
}

function createLocationBox(items: HeifItem[], dataStart: number): Buffer {
  let next = dataStart;
  const entries = items.map(({ data = Buffer.alloc(0), extents = [[next, data.length]] }, index) => {
    next += data.length;
    const places = extents.map((extent) => encodeNumbers(4, ...extent));
    return Buffer.concat([encodeNumbers(2, index + 1, 0, extents.length), ...places]);
  });
  return createBox(
    'iloc',
    encodeNumbers(4, 0),
    encodeNumbers(1, 0x44, 0),
    encodeNumbers(2, items.length),
    ...entries,
  );
}

function createItemInfo({ type, info: words = '' }: HeifItem, index: number): Buffer {
  return createBox(
    'infe',
    encodeNumbers(4, 0x02000000),
    encodeNumbers(2, index + 1, 0),
    Buffer.from(`${type}\0${words}`, 'latin1'),
  );
}

function createReference({ type, from, to }: HeifReference): Buffer {
  return createBox(type, encodeNumbers(2, from, to.length, ...to));
}

function createPropertiesBox(items: HeifItem[]): Buffer {
  // Items may share a property, as tiles do.
  const all = [...new Set(items.flatMap((item) => item.properties ?? []))];
  const associations = items.map((item, index) => {
    const own = (item.properties ?? []).map((property) => all.indexOf(property) + 1);
    return Buffer.concat([
      encodeNumbers(2, index + 1),
      encodeNumbers(1, own.length),
      encodeNumbers(2, ...own),
    ]);
  });
  const flags = encodeNumbers(4, 1);
  return createBox(
    'iprp',
    createBox('ipco', ...all),
    createBox('ipma', flags, encodeNumbers(4, items.length), ...associations),
  );
}
