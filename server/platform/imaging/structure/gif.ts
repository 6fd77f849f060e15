import type { ByteWindow } from '../clean/byte-window.ts';
import { countColorTableBytes, findGifBlockEnd, gifImageBlock, gifTrailer } from '../clean/gif.ts';
import { UnexpectedStructure } from '../clean/parts.ts';
import { structureBounds } from './bounds.ts';
import { createAmountLimit, damagedFileError } from './refusals.ts';
import type { PictureStructure } from './structure.ts';

const screenBytes = 13;
const blockHead = 10;

/** Common display sizes, which old programs wrote in place of the picture's size. libnsgif ignores them. */
const displaySizes = ['640x480', '640x512', '800x600', '1024x768', '1280x1024', '1600x1200'];
const maxPlausibleSide = 2_048;

interface Size {
  width: number;
  height: number;
}

interface Blocks {
  frames: number;
  /** Size up to the right and bottom edge of the first frame. */
  first: Size;
  hasAlpha: boolean;
}

/** Reads the structure of a GIF. Throws ImageError, with 'format' if not even one frame begins. */
export async function readGifStructure(bytes: ByteWindow): Promise<PictureStructure> {
  const head = Buffer.from((await bytes.from(0, screenBytes)).subarray(0, screenBytes));
  if (head.length < screenBytes) throw damagedFileError('a GIF without a screen');
  const { frames, first, hasAlpha } = await readBlocks(bytes, screenBytes + countColorTableBytes(head[10]));
  if (frames === 0) throw damagedFileError('a GIF without frames');
  const screen = plausibleScreen({ width: head.readUInt16LE(6), height: head.readUInt16LE(8) });
  const width = Math.max(screen.width, first.width);
  const height = Math.max(screen.height, first.height);
  return {
    format: 'gif',
    width,
    height,
    frames,
    decodedPixels: width * height,
    sampleBytes: 1,
    isProgressive: false,
    hasAlpha,
  };
}

/** Returns the screen size as libnsgif interprets it. The first frame may enlarge the screen; later frames are cut. */
function plausibleScreen({ width, height }: Size): Size {
  const isBelieved =
    width > 0 &&
    height > 0 &&
    Math.max(width, height) <= maxPlausibleSide &&
    !displaySizes.includes(`${width}x${height}`);
  return isBelieved ? { width, height } : { width: 1, height: 1 };
}

async function readBlocks(bytes: ByteWindow, start: number): Promise<Blocks> {
  const found: Blocks = { frames: 0, first: { width: 0, height: 0 }, hasAlpha: false };
  const countBlock = createAmountLimit(structureBounds.pieces, 'it has too many parts');
  const countFrame = createAmountLimit(
    structureBounds.frames,
    `it has more than ${structureBounds.frames} frames`,
  );
  try {
    for (let position = start; ; ) {
      const head = await bytes.from(position, blockHead);
      if (head.length === 0 || head[0] === gifTrailer) return found;
      countBlock();
      if (isTransparentControl(head)) found.hasAlpha = true;
      if (head[0] === gifImageBlock && head.length >= blockHead) {
        if (found.frames++ === 0) found.first = readReach(head);
        countFrame();
      }
      position = await findGifBlockEnd(bytes, position, head);
    }
  } catch (error) {
    if (!(error instanceof UnexpectedStructure)) throw error;
    return found;
  }
}

/** Whether the block is a graphic control block with the transparency flag. */
function isTransparentControl(head: Buffer): boolean {
  return head[0] === 0x21 && head[1] === 0xf9 && ((head[3] ?? 0) & 1) === 1;
}

function readReach(head: Buffer): Size {
  return {
    width: head.readUInt16LE(1) + head.readUInt16LE(5),
    height: head.readUInt16LE(3) + head.readUInt16LE(7),
  };
}
