/** Reads the files that a worker left, and believes none of them to be what it should. */
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { TemporaryFile } from '../storage/storage.ts';
import { type Encoded, encoded, formats } from './formats.ts';
import type { AnswerOf, Written } from './jobs.ts';
import { WorkerEnded } from './pool/ended.ts';
import { readOutput, withOutput } from './pool/folder.ts';
import { maxFileBytes } from './pool/launch.ts';
import type { Renditions } from './renditions.ts';

/** An image in a file, which the caller discards or stores: it may be as large as an original. */
export type WrittenImage = Omit<Encoded, 'data'> & { file: TemporaryFile; size: number };

export interface Output {
  read(name: string): Promise<Buffer>;
  moveTo(name: string, file: TemporaryFile): Promise<number>;
}

/** Bytes of what is read into memory, where it is no picture in full size. An animation's preview is the largest. */
const maxOutputBytes: Record<string, number> = {
  thumb: 30_000_000,
  preview: 120_000_000,
  image: 120_000_000,
};

/** `memoryBytes`: of the job. It held what it has written, so that all of it together is no more. */
export function openOutput(folder: string, memoryBytes: number): Output {
  let left = memoryBytes;
  return {
    async read(name) {
      const bytes = await readOutput(folder, name, Math.min(left, maxOutputBytes[name] ?? left));
      left -= bytes.length;
      return bytes;
    },
    /** Returns its bytes. */
    moveTo: (name, { path }) =>
      withOutput(folder, name, maxFileBytes, async (file, size) => {
        const copy = createWriteStream(path);
        await pipeline(file.createReadStream({ end: size - 1, autoClose: false }), copy);
        if (copy.bytesWritten < size) throw new WorkerEnded('crash', `${name} became shorter`);
        return size;
      }),
  };
}

export async function readRenditions(
  { thumb, preview, full, placeholder }: Drawn,
  output: Output,
): Promise<Renditions> {
  const take = async (name: string, { format, ...size }: Written) =>
    encoded(await output.read(name), format, size);
  return {
    thumb: await take('thumb', thumb),
    preview: await take('preview', preview),
    ...(full && { full: await take('full', full) }),
    placeholder,
  };
}

type Drawn = Pick<AnswerOf<'upload'>, 'thumb' | 'preview' | 'full' | 'placeholder'>;

export async function readImage(
  { format, width, height }: Written,
  output: Output,
  newFile: () => Promise<TemporaryFile>,
): Promise<WrittenImage> {
  const file = await newFile();
  try {
    const size = await output.moveTo('image', file);
    return { file, size, format, ...formats[format], width, height };
  } catch (error) {
    await file.discard();
    throw error;
  }
}
