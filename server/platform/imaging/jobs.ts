/**
 * The jobs of picture workers, and their answers. The picture lies in the worker's folder as `input`; what it
 * makes it writes beside it, each under the name that its kind of job has for it.
 */
import type { Static } from 'typebox';
import { Type } from '../schema/type.ts';
import type { EditStep } from './edits/actions.ts';
import type { Format } from './formats.ts';
import { earliestTaken, latestTaken, maxFocalLength } from './metadata/exif-text.ts';
import type { SizeRequest } from './size.ts';
import { bounds } from './structure/bounds.ts';

/** The promises of a file's structure: a decoder that finds more is not believed. */
export interface Expected {
  format: Format;
  /** Pixels of one frame. */
  pixels: number;
  frames: number;
}

export type Job =
  | { kind: 'upload'; expected: Expected; full: boolean }
  | { kind: 'edit'; expected: Expected; steps: EditStep[] }
  | { kind: 'avatar'; expected: Expected }
  | { kind: 'exif'; expected: Expected }
  | { kind: 'size'; expected: Expected | null; request: SizeRequest }
  | { kind: 'trial' };

export type JobKind = Job['kind'];

export const inputName = 'input';

/** Nothing beside what is named: a worker that was taken over would put its own in the place of ours. */
const Closed = ((properties, options) =>
  Type.Object(properties, { ...options, additionalProperties: false })) as typeof Type.Object;

/** 2^31 - 1, the most that the databases hold. */
const maxInteger = 2_147_483_647;
const Pixels = Type.Integer({ minimum: 1, maximum: maxInteger });
/** Without control characters and broken surrogates, which databases refuse. */
const Text = Type.String({ maxLength: 100, pattern: '^[^\\p{Cc}\\p{Cs}]*$' });

export type Inspected = Static<typeof Inspected>;
const Inspected = Closed({
  /** Pixels, upright: as one sees the picture, not as the sensor wrote it. */
  width: Pixels,
  height: Pixels,
  /** Frames of an animation (GIF, WebP). A still has 1, and so has a TIFF of many pages: the first counts. */
  frames: Type.Integer({ minimum: 1, maximum: bounds.frames }),
  hasAlpha: Type.Boolean(),
  /** The Exif orientation that is still to be applied; 1 for HEIC and AVIF, whose decoders turn them. */
  orientation: Type.Integer({ minimum: 1, maximum: 8 }),
});

/** A photo's own account of how it was taken; `""`, 0 and null stand for nothing. */
export type Exif = Static<typeof Exif>;
const Exif = Closed({
  /** Maker and model, the maker not said twice. */
  camera: Text,
  /** `f/2.8` */
  aperture: Text,
  /** `1/125`, or `2` for two seconds */
  shutter: Text,
  iso: Type.Integer({ minimum: 0, maximum: maxInteger }),
  /** Unix seconds; the camera's local time is taken as UTC where the file gives no offset. */
  takenTime: Type.Union([Type.Integer({ minimum: earliestTaken, maximum: latestTaken }), Type.Null()]),
  /** The lens's model. */
  lens: Text,
  /** Millimetres, of the lens itself and not of its equivalent. */
  focalLength: Type.Number({ minimum: 0, maximum: maxFocalLength }),
  /** Degrees, north and east positive. Only the owner and admins see it. */
  location: Type.Union([
    Closed({
      latitude: Type.Number({ minimum: -90, maximum: 90 }),
      longitude: Type.Number({ minimum: -180, maximum: 180 }),
    }),
    Type.Null(),
  ]),
});

/** A picture that was written: into which file, its kind of job says. */
export type Written = Static<typeof Written>;
const Written = Closed({
  format: Type.Enum(['jpeg', 'png', 'webp', 'gif']),
  width: Pixels,
  height: Pixels,
});

/** A ThumbHash in base64. */
const Placeholder = Type.String({ pattern: '^[A-Za-z0-9+/]{4,60}={0,2}$' });

/** By kind: the schema of what it answers, and the files that it may write. */
export const answers = {
  upload: Closed({
    inspected: Inspected,
    exif: Exif,
    thumb: Written,
    preview: Written,
    full: Type.Optional(Written),
    placeholder: Placeholder,
  }),
  edit: Closed({
    frames: Inspected.properties.frames,
    image: Written,
    thumb: Written,
    preview: Written,
    placeholder: Placeholder,
  }),
  avatar: Closed({ image: Written }),
  exif: Closed({ exif: Exif }),
  size: Closed({ image: Written }),
  trial: Closed({}),
} satisfies Record<JobKind, unknown>;

export type AnswerOf<Kind extends JobKind> = Static<(typeof answers)[Kind]>;

/** Why there is no picture: the file's own fault, what the system refused, no memory, or a mistake of ours. */
export type Failure = Static<typeof Failure>;
export const Failure = Type.Union([
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
