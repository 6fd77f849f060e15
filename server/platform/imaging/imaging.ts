/**
 * Entry point for all image processing. The server process checks a file's structure first. A picture worker then
 * decodes the file when the queue has a free slot and enough memory for the job.
 */
import { LRUCache } from 'lru-cache';
import type { TemporaryFile } from '../storage/storage.ts';
import {
  estimateDecodeBytes,
  estimateEditBytes,
  estimateSizeJobBytes,
  estimateUploadBytes,
  ordinaryJobBytes,
} from './bounds.ts';
import type { EditStep } from './edits/actions.ts';
import { AbandonedJobError, ImageError, QueueFullError } from './errors.ts';
import { type ImageFormat, imageFormats } from './formats.ts';
import type {
  ExpectedPicture,
  ImagingJob,
  ImagingJobKind,
  InspectedPicture,
  WorkerJobAnswer,
} from './jobs.ts';
import { maxXmpBytes } from './limits.ts';
import type { Exif, FileFacts, SidecarTexts } from './metadata/fields.ts';
import {
  openWorkerOutput,
  readWorkerImage,
  readWorkerRenditions,
  type WorkerOutput,
  type WrittenImage,
} from './outputs.ts';
import { readWorkerAnswer } from './pool/answers.ts';
import type { WorkerPool } from './pool/pool.ts';
import { WorkerEnded, type WorkerEndReason } from './pool/worker-ended.ts';
import type { ImagingQueue, ImagingQueueRequest } from './queue/queue.ts';
import type { Renditions } from './renditions.ts';
import type { SizeRenderRequest } from './size.ts';
import { readPictureStructure } from './structure/read.ts';
import type { PictureStructure } from './structure/structure.ts';

/** Facts about a picture that a worker has decoded, such as size and format. */
export interface PictureInspection extends InspectedPicture {
  format: ImageFormat;
  mime: string;
  extension: string;
}

/** Caller, priority and cancellation of an imaging job. See `queue.ts`. */
export interface ImagingJobOptions extends Pick<ImagingQueueRequest, 'caller' | 'isBehind' | 'signal'> {
  /** Id of the file's bytes, such as their SHA-256. A file that recently exceeded a limit is refused at once. */
  contentId?: string | undefined;
  /** Signal that ends the wait in the queue, but not a running job. */
  patience?: AbortSignal;
}

export interface DecodedPicture {
  inspection: PictureInspection;
  exif: Exif;
  renditions: Renditions;
}

/** An edited image: the result of replaying all edit steps on the original. */
export interface EditedImage extends Omit<Renditions, 'full'> {
  image: WrittenImage;
  frames: number;
}

export interface EditJobOptions extends ImagingJobOptions {
  /** Size of the original in pixels after the Exif rotation. */
  upright: { width: number; height: number };
  newFile: () => Promise<TemporaryFile>;
  maxMegapixels?: number | undefined;
}

export type Imaging = ReturnType<typeof createImaging>;

export interface ImagingOptions {
  queue: ImagingQueue;
  pool: WorkerPool;
  /** Called for each worker that ended without an answer, unless its client or the server ended it. */
  onEnded?: (error: WorkerEnded, kind: ImagingJobKind) => void;
  /** Seconds of CPU time per kind of job, in place of the defaults. */
  seconds?: Partial<Record<ImagingJobKind, number>>;
  /** Factor by which a job's wall-clock time may exceed its CPU time limit. */
  patience?: number;
}

/** Maximum seconds of CPU time per kind of job. AVIF is the slowest to decode: 40 megapixels take 6 seconds. */
const cpuSecondsPerJob: Record<ImagingJobKind, number> = {
  upload: 40,
  edit: 60,
  avatar: 40,
  logo: 40,
  size: 40,
  exif: 10,
  xmp: 10,
  trial: 40,
};

/**
 * Default factor by which a job's wall-clock time may exceed its CPU time limit, for a machine busy with other work.
 */
const defaultPatience = 4;

const rememberedMs = 3_600_000;
const maxRemembered = 10_000;

/** A logo as WebP. */
export interface RenderedLogo {
  data: Buffer;
  width: number;
  height: number;
}

export function createImaging(options: ImagingOptions) {
  const { queue, pool, onEnded, seconds: ownSeconds, patience: factor = defaultPatience } = options;
  const cpuSeconds = { ...cpuSecondsPerJob, ...ownSeconds };
  const timeFor = (kind: ImagingJobKind) => ({
    cpuSeconds: cpuSeconds[kind],
    seconds: cpuSeconds[kind] * factor,
  });
  const tooMuch = new LRUCache<string, WorkerEndReason>({ max: maxRemembered, ttl: rememberedMs });

  interface Work<Kind extends ImagingJobKind> {
    job: ImagingJob & { kind: Kind };
    input: string | Buffer;
    bytes: number;
    request: ImagingJobOptions;
  }

  /**
   * Runs a job in a worker. `take` reads the files that the worker has written. Throws ImageError, AbandonedJobError,
   * QueueFullError, or a system error.
   */
  async function perform<Kind extends ImagingJobKind, Result>(
    { job, input, bytes, request }: Work<Kind>,
    take: (answer: WorkerJobAnswer<Kind>, output: WorkerOutput) => Promise<Result>,
  ): Promise<Result> {
    const { contentId, signal, patience = signal } = request;
    const known = contentId && tooMuch.get(`${job.kind} ${contentId}`);
    if (known) throw errorByEnding[known]();
    const memoryBytes = Math.max(bytes, Math.min(ordinaryJobBytes, queue.memoryBytes));
    try {
      return await queue.run(
        () =>
          pool.run({ job, input, memoryBytes, signal, ...timeFor(job.kind) }, async (answer, folder) =>
            take(
              readWorkerAnswer<Kind>(job.kind, answer, 'expected' in job ? job.expected : null),
              openWorkerOutput(folder, memoryBytes),
            ),
          ),
        { ...request, signal: patience, bytes: memoryBytes },
      );
    } catch (error) {
      if (!(error instanceof WorkerEnded)) throw error;
      const isOwn = error.why === 'memory' || error.why === 'time' || error.why === 'room';
      if (isOwn && error.isCertain && contentId) tooMuch.set(`${job.kind} ${contentId}`, error.why);
      if (error.why !== 'gone' && error.why !== 'closed') onEnded?.(error, job.kind);
      throw errorByEnding[error.why](error);
    }
  }

  async function read(
    file: string,
    picture: PictureStructure,
    full: boolean,
    { facts = {}, ...request }: MetadataRequest,
  ): Promise<DecodedPicture> {
    const expected = describeExpected(picture);
    const job = { kind: 'upload', expected, full, facts } as const;
    return await perform(
      { job, input: file, bytes: estimateUploadBytes(picture, full), request },
      async ({ inspected, exif, ...answer }, output) => ({
        inspection: { ...inspected, format: expected.format, ...imageFormats[expected.format] },
        exif,
        renditions: await readWorkerRenditions(answer, output),
      }),
    );
  }

  return {
    queue,
    pool,
    /** Reads the file's structure without decoding it. Throws ImageError. */
    inspect: readPictureStructure,
    /**
     * Decodes the whole picture and creates its renditions. Throws ImageError for a damaged picture. `full` requests
     * the `full` rendition for every format.
     */
    async upload(
      file: string,
      { maxMegapixels, full = false, ...request }: UploadJobOptions = {},
    ): Promise<DecodedPicture> {
      return await read(file, await readPictureStructure(file, maxMegapixels), full, request);
    },
    /**
     * Replays edit steps on a file. Throws EditError if a step does not fit the picture, and the same errors as
     * `upload`.
     */
    async edit(file: string, steps: EditStep[], request: EditJobOptions): Promise<EditedImage> {
      const picture = await readPictureStructure(file, Infinity);
      const bytes = estimateEditBytes(picture, request.upright, steps, request.maxMegapixels);
      const job = { kind: 'edit', expected: describeExpected(picture), steps } as const;
      return await perform({ job, input: file, bytes, request }, async (answer, output) => ({
        ...(await readWorkerRenditions(answer, output)),
        frames: answer.frames,
        image: await readWorkerImage(answer.image, output, request.newFile),
      }));
    },
    /** Renders an avatar: a square WebP of 256 by 256 pixels. */
    async avatar(file: string, request: ImagingJobOptions & { maxMegapixels?: number }): Promise<Buffer> {
      const picture = await readPictureStructure(file, request.maxMegapixels);
      const job = { kind: 'avatar', expected: describeExpected(picture) } as const;
      const work = { job, input: file, bytes: estimateDecodeBytes(picture), request };
      return await perform(work, (_, output) => output.read('image'));
    },
    /** Renders a logo: a WebP of at most 640 by 160 pixels in the shape of the picture. */
    async logo(file: string, request: ImagingJobOptions & { maxMegapixels?: number }): Promise<RenderedLogo> {
      const picture = await readPictureStructure(file, request.maxMegapixels);
      const job = { kind: 'logo', expected: describeExpected(picture) } as const;
      const work = { job, input: file, bytes: estimateDecodeBytes(picture), request };
      return await perform(work, async ({ image: { width, height } }, output) => ({
        data: await output.read('image'),
        width,
        height,
      }));
    },
    /** Renders a size. `input` is the path of a file, or the bytes of a preview from the storage. */
    async size(input: string | Buffer, asked: SizeJobRequest, request: ImagingJobOptions): Promise<Buffer> {
      const picture = typeof input === 'string' ? await readPictureStructure(input, Infinity) : null;
      const size = { hasAlpha: picture?.hasAlpha ?? true, ...asked };
      const job = { kind: 'size', expected: picture && describeExpected(picture), request: size } as const;
      const work = { job, input, bytes: estimateSizeJobBytes(size, picture), request };
      return await perform(work, (_, output) => output.read('image'));
    },
    async exif(
      file: string,
      { maxMegapixels = Infinity, facts = {}, ...request }: MetadataRequest,
    ): Promise<Exif> {
      const expected = describeExpected(await readPictureStructure(file, maxMegapixels));
      const job = { kind: 'exif', expected, facts } as const;
      return await perform({ job, input: file, bytes: 0, request }, async ({ exif }) => exif);
    },
    /** Reads the bytes of an XMP file beside a photo. Returns nothing for a damaged or larger file. */
    async xmp(bytes: Uint8Array, request: ImagingJobOptions = {}): Promise<SidecarTexts> {
      if (bytes.length > maxXmpBytes) return {};
      const work = { job: { kind: 'xmp' }, input: Buffer.from(bytes), bytes: 0, request } as const;
      return await perform(work, async ({ texts }) => texts);
    },
    /** Whether a picture written by this server can be decoded to its end. Takes milliseconds. */
    async decodes(bytes: Buffer): Promise<boolean> {
      const work = { job: { kind: 'trial' }, input: bytes, bytes: 0, request: {} } as const;
      try {
        return await perform(work, async () => true);
      } catch (error) {
        if (error instanceof ImageError) return false;
        throw error;
      }
    },
    /** Refuses new jobs, and resolves when all accepted jobs are done. */
    async close(): Promise<void> {
      await queue.drain();
      await pool.close();
    },
  };
}

interface MetadataRequest extends ImagingJobOptions {
  maxMegapixels?: number;
  /** Facts that complete the metadata of the file. */
  facts?: FileFacts;
}

export interface UploadJobOptions extends MetadataRequest {
  full?: boolean;
}

export type SizeJobRequest = Omit<SizeRenderRequest, 'hasAlpha'> & { hasAlpha?: boolean };

/** Errors for the client, by the reason why a worker ended. */
const errorByEnding: Record<WorkerEndReason, (cause?: WorkerEnded) => Error> = {
  memory: (cause) => tooLarge('decoding needs more memory than its dimensions allow for', cause),
  room: (cause) => tooLarge('processing needs too much disk space', cause),
  time: (cause) => tooLarge('processing takes too long', cause),
  crash: (cause) => new ImageError('format', 'The file is damaged or not an image', { cause }),
  gone: () => new AbandonedJobError(),
  busy: () => new QueueFullError(2),
  closed: () => new QueueFullError(2),
};

function tooLarge(why: string, cause?: WorkerEnded): ImageError {
  return new ImageError('too-large', `The image is too large: ${why}`, { cause });
}

function describeExpected({ width, height, ...picture }: PictureStructure): ExpectedPicture {
  const { format, frames, endMarkerAt, color } = picture;
  return { format, pixels: width * height, frames, endMarkerAt, color };
}
