import type { ByteWindow } from '../../clean/byte-window.ts';
import { structureBounds } from '../bounds.ts';
import { type ByteExtent, copyByteRange } from '../extents.ts';
import { checkColorProfileBytes } from '../profile.ts';
import { createAmountLimit, damagedFileError, tooLargeImageError } from '../refusals.ts';
import { findOnlyBox, getOnlyBox, type HeifBox, openHeifTable, readHeifBoxes } from './boxes.ts';

export interface HeifProperty {
  type: string;
  data: Buffer;
}

/** An item of a HEIC or AVIF: a picture, a part of a picture, or metadata. */
export interface HeifFileItem {
  id: number;
  /** Type of the item: `av01`, `hvc1`, `grid`, `Exif`, `mime` and others. */
  type: string;
  properties: HeifProperty[];
  /** Byte ranges of the item's data in the file. */
  extents: ByteExtent[];
  /** Ids of the items that this item is composed of (`dimg` references). */
  parts: number[];
  /** Ids of the items that belong to this item (`auxl` references): transparency, depth, gain map. */
  auxiliaries: number[];
}

export interface HeifItems {
  primary: number;
  byId: Map<number, HeifFileItem>;
}

/** Number of bytes for version and flags at the start of a full box. */
const fullBoxHead = 4;

/** Bytes of a color box that are read: its type and numbers. A profile is longer and read by decoders only. */
const colorBytes = 11;

/** Properties of HEIC and AVIF items that are read, with their maximum bytes. */
const readProperties: Record<string, number> = { ispe: 12, pixi: 64, auxC: 256, av1C: 16_384, hvcC: 16_384 };

/**
 * Reads all items. Throws ImageError, with 'format' also for duplicate tables, because readers disagree on which one
 * counts.
 */
export async function readHeifItems(bytes: ByteWindow): Promise<HeifItems> {
  const top = await readHeifBoxes(bytes, 0, bytes.size);
  // The `mini` box is a short form of `meta` with its own sizes.
  if (top.some(({ type }) => type === 'mini')) throw damagedFileError('a mini box');
  const meta = getOnlyBox(top, 'meta');
  const boxes = await readHeifBoxes(bytes, meta.start + fullBoxHead, meta.end);
  const byId = await readInfos(bytes, getOnlyBox(boxes, 'iinf'));
  await addLocations(bytes, boxes, byId);
  await addProperties(bytes, getOnlyBox(boxes, 'iprp'), byId);
  const references = findOnlyBox(boxes, 'iref');
  if (references) await addReferences(bytes, references, byId);
  const primary = await openHeifTable(bytes, getOnlyBox(boxes, 'pitm'));
  const version = primary.uint(1);
  primary.skip(3);
  return { primary: primary.uint(version === 0 ? 2 : 4), byId };
}

async function readInfos(bytes: ByteWindow, iinf: HeifBox): Promise<Map<number, HeifFileItem>> {
  const version = (await bytes.from(iinf.start, 1))[0] ?? 0;
  const infos = await readHeifBoxes(bytes, iinf.start + fullBoxHead + (version === 0 ? 2 : 4), iinf.end);
  const byId = new Map<number, HeifFileItem>();
  for (const info of infos.filter(({ type }) => type === 'infe')) {
    const item = await readInfo(bytes, info);
    if (byId.has(item.id)) throw damagedFileError('two items of one number');
    byId.set(item.id, item);
  }
  return byId;
}

async function readInfo(bytes: ByteWindow, info: HeifBox): Promise<HeifFileItem> {
  const table = await openHeifTable(bytes, info);
  const version = table.uint(1);
  table.skip(3);
  const id = table.uint(version === 3 ? 4 : 2);
  table.skip(2); // Skips the item's protection index.
  const type = version >= 2 ? table.characters(4) : '';
  if (type === 'mime') {
    table.text(); // Skips the item's name.
    table.text(); // Skips the item's content type.
    if (table.text() !== '') throw tooLargeImageError('its metadata is compressed');
  }
  return { id, type, properties: [], extents: [], parts: [], auxiliaries: [] };
}

/** Adds the data ranges of all items. libheif reads every item's data into memory, and shared bytes once per item. */
async function addLocations(
  bytes: ByteWindow,
  boxes: HeifBox[],
  byId: Map<number, HeifFileItem>,
): Promise<void> {
  const table = await openHeifTable(bytes, getOnlyBox(boxes, 'iloc'));
  const idat = findOnlyBox(boxes, 'idat');
  const countExtent = createAmountLimit(structureBounds.extents, 'it has too many parts');
  const countBytes = createAmountLimit(
    structureBounds.extentsPerByte * bytes.size,
    'its items share their bytes',
  );
  const version = table.uint(1);
  table.skip(3);
  const [sizes, baseSizes] = [table.uint(1), table.uint(1)];
  const [offsetSize, lengthSize, baseSize] = [sizes >> 4, sizes & 15, baseSizes >> 4];
  const indexSize = version === 0 ? 0 : baseSizes & 15;
  if (![offsetSize, lengthSize, baseSize, indexSize].every((size) => [0, 4, 8].includes(size)))
    throw damagedFileError('positions of odd sizes');
  const count = table.uint(version < 2 ? 2 : 4);
  for (let index = 0; index < count; index++) {
    const item = byId.get(table.uint(version < 2 ? 2 : 4));
    const method = version === 0 ? 0 : table.uint(2) & 15;
    table.skip(2); // Skips the index of another file that could hold the data.
    const area = method === 1 ? idat : { start: 0, end: bytes.size };
    if (method > 1 || !area) throw damagedFileError('data in an unknown place');
    const base = area.start + table.uint(baseSize);
    for (let extents = table.uint(2); extents > 0; extents--) {
      countExtent();
      table.skip(indexSize);
      const start = Math.min(base + table.uint(offsetSize), area.end);
      const length = table.uint(lengthSize);
      const end = length === 0 ? area.end : Math.min(start + length, area.end);
      countBytes(end - start);
      item?.extents.push({ start, end });
    }
  }
}

async function addProperties(
  bytes: ByteWindow,
  iprp: HeifBox,
  byId: Map<number, HeifFileItem>,
): Promise<void> {
  const boxes = await readHeifBoxes(bytes, iprp.start, iprp.end);
  const properties = await readAllProperties(bytes, getOnlyBox(boxes, 'ipco'));
  for (const ipma of boxes.filter(({ type }) => type === 'ipma')) {
    const table = await openHeifTable(bytes, ipma);
    const version = table.uint(1);
    const isLong = (table.uint(3) & 1) === 1;
    for (let items = table.uint(4); items > 0; items--) {
      const item = byId.get(table.uint(version === 0 ? 2 : 4));
      for (let associations = table.uint(1); associations > 0; associations--) {
        const index = isLong ? table.uint(2) & 0x7fff : table.uint(1) & 0x7f;
        const property = properties[index - 1];
        if (item && property) addProperty(item, property);
      }
    }
  }
}

/**
 * Properties that rotate, mirror or crop. A decoder processes all pixels for each such property, as often as it occurs.
 */
const transformationTypes = ['irot', 'imir', 'clap'];

function addProperty(item: HeifFileItem, property: HeifProperty): void {
  const isAgain = item.properties.some(({ type }) => type === property.type);
  if (isAgain && transformationTypes.includes(property.type))
    throw damagedFileError(`${property.type} twice`);
  item.properties.push(property);
}

async function readAllProperties(bytes: ByteWindow, ipco: HeifBox): Promise<HeifProperty[]> {
  const properties: HeifProperty[] = [];
  for (const { type, start, end } of await readHeifBoxes(bytes, ipco.start, ipco.end)) {
    if (type === 'colr') checkColorProfileBytes(end - start);
    if (type === 'colr') {
      properties.push({ type, data: await copyByteRange(bytes, start, Math.min(end, start + colorBytes)) });
      continue;
    }
    const most = Object.hasOwn(readProperties, type) ? readProperties[type]! : 0;
    if (most > 0 && end - start > most) throw damagedFileError(`a long ${type}`);
    properties.push({ type, data: most > 0 ? await copyByteRange(bytes, start, end) : Buffer.alloc(0) });
  }
  return properties;
}

async function addReferences(
  bytes: ByteWindow,
  iref: HeifBox,
  byId: Map<number, HeifFileItem>,
): Promise<void> {
  const idSize = (await bytes.from(iref.start, 1))[0] === 0 ? 2 : 4;
  const count = createAmountLimit(structureBounds.references, 'its items have too many references');
  for (const reference of await readHeifBoxes(bytes, iref.start + fullBoxHead, iref.end)) {
    const table = await openHeifTable(bytes, reference);
    const from = table.uint(idSize);
    for (let targets = table.uint(2); targets > 0; targets--) {
      count();
      const to = table.uint(idSize);
      if (reference.type === 'dimg') byId.get(from)?.parts.push(to);
      if (reference.type === 'auxl') byId.get(to)?.auxiliaries.push(from);
    }
  }
}
