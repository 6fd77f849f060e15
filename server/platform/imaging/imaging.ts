/**
 * Everything that is made of pictures. A file's structure is looked at first, in this process; whatever decodes it does so
 * in a picture worker, when the queue has a place for it and room for what it may come to hold.
 */
import { LRUCache } from 'lru-cache';
import type { TemporaryFile } from '../storage/storage.ts';
import { decodeBytes, editBytes, ordinaryBytes, sizeBytes, uploadBytes } from './bounds.ts';
import type { EditStep } from './edits/actions.ts';
import { AbandonedError, ImageError, QueueFullError } from './errors.ts';
import { type Format, formats } from './formats.ts';
import type { AnswerOf, Exif, Expected, Inspected, Job, JobKind } from './jobs.ts';
import { type Output, openOutput, readImage, readRenditions, type WrittenImage } from './outputs.ts';
import { readAnswer } from './pool/answers.ts';
import { type Ending, WorkerEnded } from './pool/ended.ts';
import type { Pool } from './pool/pool.ts';
import type { ImagingQueue, ImagingRequest } from './queue/queue.ts';
import type { Renditions } from './renditions.ts';
import type { SizeRequest } from './size.ts';
import { readStructure } from './structure/read.ts';
import type { Structure } from './structure/structure.ts';

/** Facts about a picture that was decoded. */
export interface Inspection extends Inspected {
  format: Format;
  mime: string;
  extension: string;
}

/** For whom, until when, and in what order (queue.ts). */
export interface PictureRequest extends Pick<ImagingRequest, 'caller' | 'isBehind' | 'signal'> {
  /** Identifies the bytes, as their SHA-256 does: bytes that took too much before are refused at once. */
  contentId?: string | undefined;
  /** Ends the wait for a place, and not the work. */
  patience?: AbortSignal;
}

export interface ReadPicture {
  inspection: Inspection;
  exif: Exif;
  renditions: Renditions;
}

/** The original with all steps replayed. */
export interface EditedImage extends Omit<Renditions, 'full'> {
  image: WrittenImage;
  frames: number;
}

export interface EditRequest extends PictureRequest {
  /** Pixels of the original, as one sees it. */
  upright: { width: number; height: number };
  newFile: () => Promise<TemporaryFile>;
  maxMegapixels?: number | undefined;
}

export type Imaging = ReturnType<typeof createImaging>;

export interface ImagingOptions {
  queue: ImagingQueue;
  pool: Pool;
  /** Told of each worker that ended before it answered, unless its client or the server ended it. */
  onEnded?: (error: WorkerEnded, kind: JobKind) => void;
  /** Seconds of processor time instead of the usual ones. */
  seconds?: Partial<Record<JobKind, number>>;
  /** A job ends after so many times its seconds of processor time, on a machine that does much else. */
  patience?: number;
}

/** Seconds of processor time that a job may take: 40 megapixels of AVIF, the slowest to decode, take 6. */
const usualSeconds: Record<JobKind, number> = {
  upload: 40,
  edit: 60,
  avatar: 40,
  size: 40,
  exif: 10,
  trial: 40,
};

/** On a machine that does much else, a job may take so many times as long. */
const usualPatience = 4;

const rememberedMs = 3_600_000;
const maxRemembered = 10_000;

export function createImaging(options: ImagingOptions) {
  const { queue, pool, onEnded, seconds: ownSeconds, patience: factor = usualPatience } = options;
  const cpuSeconds = { ...usualSeconds, ...ownSeconds };
  const timeFor = (kind: JobKind) => ({
    cpuSeconds: cpuSeconds[kind],
    seconds: cpuSeconds[kind] * factor,
  });
  const tooMuch = new LRUCache<string, Ending>({ max: maxRemembered, ttl: rememberedMs });

  interface Work<Kind extends JobKind> {
    job: Job & { kind: Kind };
    input: string | Buffer;
    bytes: number;
    request: PictureRequest;
  }

  /** `take` reads what the worker left. Throws ImageError, AbandonedError, QueueFullError, or the system's refusal. */
  async function perform<Kind extends JobKind, Result>(
    { job, input, bytes, request }: Work<Kind>,
    take: (answer: AnswerOf<Kind>, output: Output) => Promise<Result>,
  ): Promise<Result> {
    const { contentId, signal, patience = signal } = request;
    const known = contentId && tooMuch.get(`${job.kind} ${contentId}`);
    if (known) throw refusals[known]();
    const memoryBytes = Math.max(bytes, Math.min(ordinaryBytes, queue.memoryBytes));
    try {
      return await queue.run(
        () =>
          pool.run({ job, input, memoryBytes, signal, ...timeFor(job.kind) }, async (answer, folder) =>
            take(
              readAnswer<Kind>(job.kind, answer, 'expected' in job ? job.expected : null),
              openOutput(folder, memoryBytes),
            ),
          ),
        { ...request, signal: patience, bytes: memoryBytes },
      );
    } catch (error) {
      if (!(error instanceof WorkerEnded)) throw error;
      const isOwn = error.why === 'memory' || error.why === 'time' || error.why === 'room';
      if (isOwn && error.isCertain && contentId) tooMuch.set(`${job.kind} ${contentId}`, error.why);
      if (error.why !== 'gone' && error.why !== 'closed') onEnded?.(error, job.kind);
      throw refusals[error.why](error);
    }
  }

  async function read(
    file: string,
    picture: Structure,
    full: boolean,
    request: PictureRequest,
  ): Promise<ReadPicture> {
    const expected = describeExpected(picture);
    const job = { kind: 'upload', expected, full } as const;
    return await perform(
      { job, input: file, bytes: uploadBytes(picture, full), request },
      async ({ inspected, exif, ...answer }, output) => ({
        inspection: { ...inspected, format: expected.format, ...formats[expected.format] },
        exif,
        renditions: await readRenditions(answer, output),
      }),
    );
  }

  return {
    queue,
    pool,
    /** Reads the structure alone. Throws ImageError. */
    inspect: readStructure,
    /** Decodes the whole picture and makes its renditions; a damaged one is refused. `full` of every format. */
    async upload(
      file: string,
      { maxMegapixels, full = false, ...request }: UploadRequest = {},
    ): Promise<ReadPicture> {
      return await read(file, await readStructure(file, maxMegapixels), full, request);
    },
    /** Throws EditError where a step does not fit, and as `upload` does. */
    async edit(file: string, steps: EditStep[], request: EditRequest): Promise<EditedImage> {
      const picture = await readStructure(file, Infinity);
      const bytes = editBytes(picture, request.upright, steps, request.maxMegapixels);
      const job = { kind: 'edit', expected: describeExpected(picture), steps } as const;
      return await perform({ job, input: file, bytes, request }, async (answer, output) => ({
        ...(await readRenditions(answer, output)),
        frames: answer.frames,
        image: await readImage(answer.image, output, request.newFile),
      }));
    },
    /** A square WebP of 256 pixels. */
    async avatar(file: string, request: PictureRequest & { maxMegapixels?: number }): Promise<Buffer> {
      const picture = await readStructure(file, request.maxMegapixels);
      const job = { kind: 'avatar', expected: describeExpected(picture) } as const;
      const work = { job, input: file, bytes: decodeBytes(picture), request };
      return await perform(work, (_, output) => output.read('image'));
    },
    /** `input`: the path of a file, or the bytes of a preview of ours. */
    async size(input: string | Buffer, asked: SizeAsked, request: PictureRequest): Promise<Buffer> {
      const picture = typeof input === 'string' ? await readStructure(input, Infinity) : null;
      const size = { hasAlpha: picture?.hasAlpha ?? true, ...asked };
      const job = { kind: 'size', expected: picture && describeExpected(picture), request: size } as const;
      const work = { job, input, bytes: sizeBytes(size, picture), request };
      return await perform(work, (_, output) => output.read('image'));
    },
    async exif(
      file: string,
      { maxMegapixels = Infinity, ...request }: PictureRequest & { maxMegapixels?: number },
    ): Promise<Exif> {
      const job = {
        kind: 'exif',
        expected: describeExpected(await readStructure(file, maxMegapixels)),
      } as const;
      return await perform({ job, input: file, bytes: 0, request }, async ({ exif }) => exif);
    },
    /** Whether a picture that we have written can still be read to its end. Takes milliseconds. */
    async decodes(bytes: Buffer): Promise<boolean> {
      const work = { job: { kind: 'trial' }, input: bytes, bytes: 0, request: {} } as const;
      try {
        return await perform(work, async () => true);
      } catch (error) {
        if (error instanceof ImageError) return false;
        throw error;
      }
    },
    /** Takes nothing more, and resolves when all that was taken is done. */
    async close(): Promise<void> {
      await queue.drain();
      await pool.close();
    },
  };
}

export interface UploadRequest extends PictureRequest {
  maxMegapixels?: number;
  full?: boolean;
}

export type SizeAsked = Omit<SizeRequest, 'hasAlpha'> & { hasAlpha?: boolean };

/** The error that the client gets. */
const refusals: Record<Ending, (cause?: WorkerEnded) => Error> = {
  memory: (cause) => tooLarge('it takes more memory than its size says', cause),
  room: (cause) => tooLarge('it takes too much room while it is worked on', cause),
  time: (cause) => tooLarge('it takes too long to process', cause),
  crash: (cause) => new ImageError('format', 'The file is damaged or not an image', { cause }),
  gone: () => new AbandonedError(),
  busy: () => new QueueFullError(2),
  closed: () => new QueueFullError(2),
};

function tooLarge(why: string, cause?: WorkerEnded): ImageError {
  return new ImageError('too-large', `The image is too large: ${why}`, { cause });
}

function describeExpected({ format, width, height, frames }: Structure): Expected {
  return { format, pixels: width * height, frames };
}
