import { inflateSync } from 'node:zlib';
import { type ByteWindow, withByteWindow } from '../../clean/byte-window.ts';
import { copyByteRange } from '../../structure/extents.ts';
import type { MetadataBlocks } from './blocks.ts';

const signatureBytes = 8;
const chunkHead = 8;
/** Maximum bytes of a chunk, and of a text after inflating. */
const maxBytes = 1024 * 1024;
/** Maximum number of chunks that are read. */
const maxChunks = 200;
const wantedChunks = ['eXIf', 'tEXt', 'zTXt', 'iTXt'];
const xmpKeyword = 'XML:com.adobe.xmp';
const rawProfile = /^Raw profile type (exif|APP1|iptc|xmp)$/;

/**
 * Reads the metadata of a PNG. libvips reads only chunks before the pixels, but exiftool and ImageMagick write metadata
 * after the pixels.
 */
export async function readPngBlocks(file: string): Promise<MetadataBlocks> {
  const found: MetadataBlocks = { comments: [] };
  await withByteWindow(file, async (bytes) => {
    for await (const { type, data } of readChunks(bytes)) {
      if (type === 'eXIf') found.exif ??= data;
      else addText(found, type, data);
    }
  });
  return found;
}

async function* readChunks(bytes: ByteWindow): AsyncGenerator<{ type: string; data: Buffer }> {
  let count = 0;
  for (let position = signatureBytes; count < maxChunks; ) {
    const head = await bytes.from(position, chunkHead);
    const type = head.toString('latin1', 4, chunkHead);
    if (head.length < chunkHead || type === 'IEND') return;
    const start = position + chunkHead;
    const length = head.readUInt32BE(0);
    if (wantedChunks.includes(type) && length <= maxBytes) {
      count++;
      yield { type, data: await copyByteRange(bytes, start, start + length) };
    }
    position = start + length + 4;
  }
}

function addText(found: MetadataBlocks, type: string, data: Buffer): void {
  const end = data.indexOf(0);
  if (end === -1) return;
  const keyword = data.toString('latin1', 0, end);
  const bytes = type === 'iTXt' ? readInternational(data, end) : readLatin(data, end, type === 'zTXt');
  if (!bytes) return;
  const profile = rawProfile.exec(keyword)?.[1];
  if (keyword === xmpKeyword) found.xmp ??= bytes;
  else if (profile) addRawProfile(found, profile, bytes);
  else found.comments?.push({ keyword, text: bytes.toString(type === 'iTXt' ? 'utf8' : 'latin1') });
}

/** Adds a block that ImageMagick or exiftool wrote as text: a name, a length, and the bytes in hex. */
function addRawProfile(found: MetadataBlocks, profile: string, text: Buffer): void {
  const [, , ...hex] = text.toString('latin1').trim().split(/\s+/);
  const block = Buffer.from(hex.join(''), 'hex');
  if (profile === 'iptc') found.iptc ??= block;
  else if (profile === 'xmp') found.xmp ??= block;
  else if (block.toString('latin1', 0, 4) === 'Exif') found.exif ??= block;
}

function readLatin(data: Buffer, end: number, isCompressed: boolean): Buffer | undefined {
  return isCompressed ? inflate(data.subarray(end + 2)) : data.subarray(end + 1);
}

/** Returns the text of an iTXt chunk, which follows a flag, a method, a language and a translated keyword. */
function readInternational(data: Buffer, end: number): Buffer | undefined {
  const language = data.indexOf(0, end + 3);
  const translated = language === -1 ? -1 : data.indexOf(0, language + 1);
  if (translated === -1) return undefined;
  const text = data.subarray(translated + 1);
  return data[end + 1] === 1 ? inflate(text) : text;
}

function inflate(data: Buffer): Buffer | undefined {
  try {
    return inflateSync(data, { maxOutputLength: maxBytes });
  } catch {
    return undefined;
  }
}
