/** Reads the files that a worker has written, without trusting their content. */
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { TemporaryFile } from '../storage/storage.ts';
import { type EncodedImage, imageFormats, toEncodedImage } from './formats.ts';
import type { WorkerJobAnswer, WrittenPicture } from './jobs.ts';
import { readOutputFile, withOutputFile } from './pool/folder.ts';
import { maxWorkerFileBytes } from './pool/launch.ts';
import { WorkerEnded } from './pool/worker-ended.ts';
import type { Renditions } from './renditions.ts';

/** An image in a temporary file, which may be as large as an original. The caller must store or discard the file. */
export type WrittenImage = Omit<EncodedImage, 'data'> & { file: TemporaryFile; size: number };

export interface WorkerOutput {
  read(name: string): Promise<Buffer>;
  moveTo(name: string, file: TemporaryFile): Promise<number>;
}

/** Maximum bytes of files read into memory, except full-size pictures. An animation's preview is the largest. */
const maxOutputBytes: Record<string, number> = {
  thumb: 30_000_000,
  preview: 120_000_000,
  image: 120_000_000,
};

/**
 * Opens a worker's folder for reading. `memoryBytes` is the job's memory limit. The job held its output in memory, so
 * all files together cannot be larger.
 */
export function openWorkerOutput(folder: string, memoryBytes: number): WorkerOutput {
  let left = memoryBytes;
  return {
    async read(name) {
      const bytes = await readOutputFile(folder, name, Math.min(left, maxOutputBytes[name] ?? left));
      left -= bytes.length;
      return bytes;
    },
    /** Copies an output file to a temporary file and returns its size in bytes. */
    moveTo: (name, { path }) =>
      withOutputFile(folder, name, maxWorkerFileBytes, async (file, size) => {
        const copy = createWriteStream(path);
        await pipeline(file.createReadStream({ end: size - 1, autoClose: false }), copy);
        if (copy.bytesWritten < size) throw new WorkerEnded('crash', `${name} became shorter`);
        return size;
      }),
  };
}

export async function readWorkerRenditions(
  { thumb, preview, full, placeholder }: RenditionAnswers,
  output: WorkerOutput,
): Promise<Renditions> {
  const readEncoded = async (name: string, { format, ...size }: WrittenPicture) =>
    toEncodedImage(await output.read(name), format, size);
  return {
    thumb: await readEncoded('thumb', thumb),
    preview: await readEncoded('preview', preview),
    ...(full && { full: await readEncoded('full', full) }),
    placeholder,
  };
}

type RenditionAnswers = Pick<WorkerJobAnswer<'upload'>, 'thumb' | 'preview' | 'full' | 'placeholder'>;

export async function readWorkerImage(
  { format, width, height }: WrittenPicture,
  output: WorkerOutput,
  newFile: () => Promise<TemporaryFile>,
): Promise<WrittenImage> {
  const file = await newFile();
  try {
    const size = await output.moveTo('image', file);
    return { file, size, format, ...imageFormats[format], width, height };
  } catch (error) {
    await file.discard();
    throw error;
  }
}
