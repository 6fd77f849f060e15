/**
 * Jobs of picture workers and schemas of their answers. The picture is the file `input` in the worker's folder. The
 * worker writes its results into the same folder, under names that depend on the kind of job.
 */
import type { Static } from 'typebox';
import { Type } from '../schema/type.ts';
import { ClosedObject, maxDatabaseInteger } from './closed-object.ts';
import type { EditStep } from './edits/actions.ts';
import type { ImageFormat } from './formats.ts';
import { Exif, type FileFacts } from './metadata/fields.ts';
import type { SizeRenderRequest } from './size.ts';
import { structureBounds } from './structure/bounds.ts';
import type { DeclaredColor } from './structure/color.ts';

/** Values that the file's structure promised. A decoder that finds more is not trusted. */
export interface ExpectedPicture {
  format: ImageFormat;
  /** Number of pixels of one frame of the picture. */
  pixels: number;
  frames: number;
  /** Position at which the worker adds the end marker that a JPEG lacks. */
  endMarkerAt?: number | undefined;
  /** Colors that are converted to sRGB although the file has no ICC profile for them. */
  color?: DeclaredColor | undefined;
}

export type ImagingJob =
  | { kind: 'upload'; expected: ExpectedPicture; full: boolean; facts: FileFacts }
  | { kind: 'edit'; expected: ExpectedPicture; steps: EditStep[] }
  | { kind: 'avatar' | 'logo'; expected: ExpectedPicture }
  | { kind: 'exif'; expected: ExpectedPicture; facts: FileFacts }
  | { kind: 'size'; expected: ExpectedPicture | null; request: SizeRenderRequest }
  | { kind: 'xmp' }
  | { kind: 'trial' };

export type ImagingJobKind = ImagingJob['kind'];

export const jobInputFileName = 'input';

const Pixels = Type.Integer({ minimum: 1, maximum: maxDatabaseInteger });

export type InspectedPicture = Static<typeof InspectedPicture>;
const InspectedPicture = ClosedObject({
  /** Width and height of the picture in pixels after the Exif rotation. */
  width: Pixels,
  height: Pixels,
  /**
   * Number of frames of an animation (GIF, WebP). 1 for a still, and for a TIFF with several pages, of which the first
   * counts.
   */
  frames: Type.Integer({ minimum: 1, maximum: structureBounds.frames }),
  hasAlpha: Type.Boolean(),
  /** Exif orientation that still has to be applied. 1 for HEIC and AVIF, because their decoders apply it. */
  orientation: Type.Integer({ minimum: 1, maximum: 8 }),
});

/** A picture that a worker has written. The kind of job determines the file's name. */
export type WrittenPicture = Static<typeof WrittenPicture>;
const WrittenPicture = ClosedObject({
  format: Type.Enum(['jpeg', 'png', 'webp', 'gif']),
  width: Pixels,
  height: Pixels,
});

/** Placeholder of a picture: its ThumbHash in base64. */
const Placeholder = Type.String({ pattern: '^[A-Za-z0-9+/]{4,60}={0,2}$' });

/** Maximum length and number of the texts of one property of an XMP file. */
export const maxSidecarText = 4000;
export const maxSidecarTexts = 100;

/** Schemas of the workers' answers by kind of job. The schemas also determine which files a worker may write. */
export const workerAnswerSchemas = {
  upload: ClosedObject({
    inspected: InspectedPicture,
    exif: Exif,
    thumb: WrittenPicture,
    preview: WrittenPicture,
    full: Type.Optional(WrittenPicture),
    placeholder: Placeholder,
  }),
  edit: ClosedObject({
    frames: InspectedPicture.properties.frames,
    image: WrittenPicture,
    thumb: WrittenPicture,
    preview: WrittenPicture,
    placeholder: Placeholder,
  }),
  avatar: ClosedObject({ image: WrittenPicture }),
  logo: ClosedObject({ image: WrittenPicture }),
  exif: ClosedObject({ exif: Exif }),
  size: ClosedObject({ image: WrittenPicture }),
  xmp: ClosedObject({
    texts: Type.Record(
      Type.String({ pattern: '^[A-Za-z]{1,30}$' }),
      Type.Array(Type.String({ maxLength: maxSidecarText }), { maxItems: maxSidecarTexts }),
      { maxProperties: 20 },
    ),
  }),
  trial: ClosedObject({}),
} satisfies Record<ImagingJobKind, unknown>;

export type WorkerJobAnswer<Kind extends ImagingJobKind> = Static<(typeof workerAnswerSchemas)[Kind]>;

/**
 * Reason for a failed job: the file is bad, the system refused an operation, memory ran out, or the program has a bug.
 */
export type WorkerFailure = Static<typeof WorkerFailure>;
export const WorkerFailure = Type.Union([
  Type.Object({
    refused: Type.Enum(['format', 'too-large']),
    message: Type.String({ maxLength: 300 }),
    cause: Type.String({ maxLength: 2000 }),
  }),
  Type.Object({
    system: Type.String({ pattern: '^E[A-Z]{2,20}$' }),
    cause: Type.String({ maxLength: 2000 }),
  }),
  Type.Object({ memory: Type.String({ maxLength: 2000 }) }),
  Type.Object({ mistake: Type.String({ maxLength: 4000 }) }),
]);
