import type { Sharp } from 'sharp';
import type { TemporaryFile } from '../../storage/storage.ts';
import type { Deadline } from '../deadline.ts';
import { maxPixelsInMemory } from '../limits.ts';
import { hasAlpha, openFrame, pixelsOf } from '../open.ts';
import { inputOptions, sharp } from '../sharp.ts';
import type { ImageSize } from './actions.ts';

/** A picture between two steps of an edit: upright, 8-bit sRGB. It may be opened as often as needed. */
export interface Between {
  width: number;
  height: number;
  hasAlpha: boolean;
  open(): Sharp;
}

/** Makes a temporary file; the caller discards it. */
export type NewFile = () => Promise<TemporaryFile>;

/**
 * Small pictures are handed on as pixels in memory. Large ones are handed on through an uncompressed PNG on the disk:
 * two buffers of 100 megapixels would be 800 MB, and given back when the garbage is collected, whenever that is.
 */
export function createWorkspace(newFile: NewFile, deadline: Deadline) {
  const files: TemporaryFile[] = [];

  async function discard(): Promise<void> {
    await Promise.all(files.splice(0).map((file) => file.discard()));
  }

  return {
    discard,
    /** What comes out of `image`, whose size will be `size`. */
    async keep(image: Sharp, size: ImageSize): Promise<Between> {
      if (size.width * size.height <= maxPixelsInMemory) {
        const inMemory = await keepPixels(image, deadline);
        await discard();
        return inMemory;
      }
      const file = await newFile();
      const before = files.splice(0);
      files.push(file);
      try {
        return await keepFile(image, file, deadline);
      } finally {
        await Promise.all(before.map((each) => each.discard()));
      }
    },
  };
}

async function keepPixels(image: Sharp, deadline: Deadline): Promise<Between> {
  const pixels = await pixelsOf(image);
  const { width, height } = pixels;
  return { width, height, hasAlpha: hasAlpha(pixels), open: () => openFrame(pixels, deadline) };
}

async function keepFile(image: Sharp, { path }: TemporaryFile, deadline: Deadline): Promise<Between> {
  const { width, height, channels } = await image
    .png({ compressionLevel: 0, adaptiveFiltering: false })
    .toFile(path);
  return {
    width,
    height,
    hasAlpha: channels === 2 || channels === 4,
    open: () => sharp(path, inputOptions).timeout({ seconds: deadline.secondsLeft() }),
  };
}
