import { rmSync } from 'node:fs';
import type { Sharp } from 'sharp';
import type { ImageSize } from '../../edits/actions.ts';
import { maxPixelsInMemory } from '../../limits.ts';
import { hasAlphaChannel, openDecodedPixels, readDecodedPixels } from '../open.ts';
import { sharp, sharpInputOptions } from '../sharp.ts';

/** A picture between two edit steps: upright, in 8-bit sRGB. The picture can be opened repeatedly. */
export interface IntermediateImage {
  width: number;
  height: number;
  hasAlpha: boolean;
  open(): Sharp;
}

/**
 * Creates a workspace that stores pictures between edit steps. Small pictures stay in memory as pixels. Large pictures
 * become an uncompressed PNG on the disk, because two buffers of 100 megapixels would take 800 MB until garbage
 * collection.
 */
export function createEditWorkspace() {
  /** Names of two files used in turn: a step reads one and writes the other. */
  const names = ['step-1', 'step-2'];
  return {
    /** Stores the output of `image`, which will have the size `size`. */
    async store(image: Sharp, size: ImageSize): Promise<IntermediateImage> {
      if (size.width * size.height <= maxPixelsInMemory) return await storePixels(image);
      names.reverse();
      return await storeFile(image, names[0]!);
    },
    discard(): void {
      for (const name of names) rmSync(name, { force: true });
    },
  };
}

async function storePixels(image: Sharp): Promise<IntermediateImage> {
  const pixels = await readDecodedPixels(image);
  const { width, height } = pixels;
  return { width, height, hasAlpha: hasAlphaChannel(pixels), open: () => openDecodedPixels(pixels) };
}

async function storeFile(image: Sharp, path: string): Promise<IntermediateImage> {
  const { width, height, channels } = await image
    .png({ compressionLevel: 0, adaptiveFiltering: false })
    .toFile(path);
  return {
    width,
    height,
    hasAlpha: channels === 2 || channels === 4,
    open: () => sharp(path, sharpInputOptions),
  };
}
