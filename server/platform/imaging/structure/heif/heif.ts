import type { ByteWindow } from '../../clean/byte-window.ts';
import type { ImageFormat } from '../../formats.ts';
import { createExifCheck } from '../exif.ts';
import { joinByteExtents, viewByteRange } from '../extents.ts';
import { damagedFileError } from '../refusals.ts';
import type { PictureStructure } from '../structure.ts';
import { readHeifColor } from './color.ts';
import { type HeifFileItem, type HeifItems, readHeifItems } from './items.ts';
import { createHeifPixelSum, getHeifItemSize } from './pixels.ts';

/** Bytes before the Exif block in an Exif item, which hold a position that no reader uses. */
const exifHead = 4;

/**
 * Reads the structure of a HEIC or AVIF. Throws ImageError, with 'format' if the primary item or one of its parts is
 * missing.
 */
export async function readHeifStructure(bytes: ByteWindow, format: ImageFormat): Promise<PictureStructure> {
  const items = await readHeifItems(bytes);
  const primary = items.byId.get(items.primary);
  if (!primary) throw damagedFileError('no primary item');
  await checkExif(bytes, items);
  const decodedPixels = await createHeifPixelSum(bytes, items)(items.primary);
  const { width, height } = getHeifItemSize(primary);
  const hasAlpha = isTransparent(items, primary);
  const channels = hasAlpha ? 4 : 3;
  const color = await readHeifColor(bytes, firstChain(items, primary));
  return {
    format,
    width,
    height,
    frames: 1,
    decodedPixels,
    sampleBytes: channels * (readDepth(items, primary) > 8 ? 2 : 1),
    isProgressive: false,
    hasAlpha,
    ...(color && { color }),
  };
}

async function checkExif(bytes: ByteWindow, { byId }: HeifItems): Promise<void> {
  const exif = createExifCheck();
  for (const { type, extents } of byId.values()) {
    if (type !== 'Exif') continue;
    const data = joinByteExtents(bytes, extents);
    await exif.checkBlock(viewByteRange(data, exifHead, data.size));
  }
}

/** Whether the item, or the first of its parts, has transparency. */
function isTransparent(items: HeifItems, item: HeifFileItem): boolean {
  return firstChain(items, item).some(({ auxiliaries }) =>
    auxiliaries.some((id) => isAlpha(items.byId.get(id))),
  );
}

function isAlpha(item: HeifFileItem | undefined): boolean {
  return (
    item?.properties.some(({ type, data }) => type === 'auxC' && /alpha|auxid:1\0/.test(String(data))) ===
    true
  );
}

/** Returns the item, its first part, that part's first part, and so on, down to a coded item. */
function firstChain(items: HeifItems, item: HeifFileItem): HeifFileItem[] {
  const chain: HeifFileItem[] = [];
  let next: HeifFileItem | undefined = item;
  while (next && !chain.includes(next)) {
    chain.push(next);
    const part: number | undefined = next.parts[0];
    next = part === undefined ? undefined : items.byId.get(part);
  }
  return chain;
}

/** Returns the bits of a sample according to the codec's configuration. */
function readDepth(items: HeifItems, item: HeifFileItem): number {
  for (const { type, data } of firstChain(items, item).flatMap(({ properties }) => properties)) {
    if (type === 'av1C' && data.length >= 3) return data[2]! & 0x40 ? 10 : 8;
    if (type === 'hvcC' && data.length >= 18) return 8 + (data[17]! & 7);
  }
  return 8;
}
