import { rmSync } from 'node:fs';
import type { Sharp } from 'sharp';
import type { ImageSize } from '../../edits/actions.ts';
import { maxPixelsInMemory } from '../../limits.ts';
import { hasAlpha, openFrame, pixelsOf } from '../open.ts';
import { inputOptions, sharp } from '../sharp.ts';

/** A picture between two steps of an edit: upright, 8-bit sRGB. It may be opened as often as needed. */
export interface Between {
  width: number;
  height: number;
  hasAlpha: boolean;
  open(): Sharp;
}

/**
 * Small pictures are handed on as pixels in memory. Large ones are handed on through an uncompressed PNG on the disk:
 * two buffers of 100 megapixels would be 800 MB, and given back when the garbage is collected, whenever that is.
 */
export function createWorkspace() {
  /** Two in turn: a step reads one and writes the other. */
  const names = ['step-1', 'step-2'];
  return {
    /** Keeps the result of `image`, whose size will be `size`. */
    async keep(image: Sharp, size: ImageSize): Promise<Between> {
      if (size.width * size.height <= maxPixelsInMemory) return await storePixels(image);
      names.reverse();
      return await storeFile(image, names[0]!);
    },
    discard(): void {
      for (const name of names) rmSync(name, { force: true });
    },
  };
}

async function storePixels(image: Sharp): Promise<Between> {
  const pixels = await pixelsOf(image);
  const { width, height } = pixels;
  return { width, height, hasAlpha: hasAlpha(pixels), open: () => openFrame(pixels) };
}

async function storeFile(image: Sharp, path: string): Promise<Between> {
  const { width, height, channels } = await image
    .png({ compressionLevel: 0, adaptiveFiltering: false })
    .toFile(path);
  return {
    width,
    height,
    hasAlpha: channels === 2 || channels === 4,
    open: () => sharp(path, inputOptions),
  };
}
