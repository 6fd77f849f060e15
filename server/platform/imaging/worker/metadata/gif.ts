import { type ByteWindow, withByteWindow } from '../../clean/byte-window.ts';
import { countColorTableBytes, findGifBlockEnd, gifTrailer } from '../../clean/gif.ts';
import { copyByteRange } from '../../structure/extents.ts';
import type { MetadataBlocks } from './blocks.ts';

const headerBytes = 13;
/** Bytes of an extension's head: two marks, a length, and the name of the application. */
const extensionHead = 14;
const xmpName = 'XMP DataXMP';
/** Bytes after the XMP, which lead a reader of sub-blocks to the end from any byte of the XMP. */
const trailerBytes = 258;
const maxBytes = 1024 * 1024;

/** Reads the XMP of a GIF, which libvips ignores. Returns nothing for a damaged file. */
export async function readGifBlocks(file: string): Promise<MetadataBlocks> {
  try {
    return await withByteWindow(file, async (bytes) => ({ xmp: await findXmp(bytes) }));
  } catch {
    return {};
  }
}

async function findXmp(bytes: ByteWindow): Promise<Buffer | undefined> {
  const header = await bytes.from(0, headerBytes);
  for (let position = headerBytes + countColorTableBytes(header[10]); ; ) {
    const head = await bytes.from(position, extensionHead);
    if (head.length < extensionHead || head[0] === gifTrailer) return undefined;
    const end = await findGifBlockEnd(bytes, position, head);
    const isXmp = head.toString('latin1', 3, extensionHead) === xmpName;
    if (isXmp && end - position <= maxBytes)
      return await copyByteRange(bytes, position + extensionHead, end - trailerBytes);
    position = end;
  }
}
