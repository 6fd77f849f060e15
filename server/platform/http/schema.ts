/**
 * Pieces of input and output that several modules have. A schema with a `title` is a component of the contract: it
 * stands there once, and clients get one type of that name for it. Everything else does not ask for titles.
 */
import type { Static, TProperties, TSchema } from 'typebox';
import { Type } from '../schema/type.ts';

export const idField = (what: string) =>
  Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: `Id of the ${what}` });

export const idOrZero = (description: string) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description });

export const idOrNone = (description: string) =>
  Type.Unsafe<number | null>({ ...idOrZero(description), type: ['integer', 'null'] });

export const idParams = (what: string) => Type.Object({ id: idField(what) });

/** Text as a person types it: bounded, no control characters, no broken Unicode. Lengths are characters. */
export const textField = (maxLength: number, description: string) =>
  Type.String({ maxLength, format: 'text', description });

interface NullableSchema {
  type?: string;
  enum?: unknown[];
  title?: string;
}

/**
 * A field that may also be null. Null is read as `unset`, the value of a field that was never set; with undefined,
 * null means that the field was left out.
 */
export function orNull<Schema extends TSchema>(schema: Schema, unset?: Static<Schema>) {
  const { type, enum: values, title: _, ...others } = schema as NullableSchema;
  return Type.Unsafe<Static<Schema>>({
    ...others,
    type: [type, 'null'],
    ...(values && { enum: [...values, null] }),
    whenNull: { value: unset },
  });
}

export const flagField = (description: string) =>
  Type.Unsafe<0 | 1>({ type: 'integer', enum: [0, 1], description });

/** A flag with a default: null stands for that. */
export const flagOrNull = (description: string) => orNull(flagField(description));

/** In the body of what toggles a state: a client that repeats a call whose answer it lost says which one it wants. */
export const wantedState = Type.Optional(
  orNull(
    Type.Boolean({ description: 'What it shall be; left out or null: the other one', examples: [true] }),
  ),
);

/** One of these texts. */
export const choice = <const Value extends string>(values: readonly Value[], more: object = {}) =>
  Type.Unsafe<Value>({ type: 'string', enum: [...values], ...more });

export const SortOrder = choice(['asc', 'desc'], {
  title: 'SortOrder',
  default: 'desc',
  description: 'Ascending or descending',
});

const time = '\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}';
const timeExample = { examples: ['2026-03-01 09:30:00'] };
const timeFormat = 'UTC, YYYY-MM-DD HH:MM:SS';

export const timeField = (description?: string) =>
  Type.String({
    pattern: `^${time}$`,
    description: description ? `${description}; ${timeFormat}` : timeFormat,
    ...timeExample,
  });

/** The same, "" where there is none; `none` says when. */
export const timeOrNone = (description: string, none: string) =>
  Type.String({
    pattern: `^(${time})?$`,
    description: `${description}; ${timeFormat}; "" ${none}`,
    ...timeExample,
  });

/** `word`, as an integer: 1 or 0. */
export const flagAnswer = (description: string) => Type.Integer({ minimum: 0, maximum: 1, description });

declare module 'fastify' {
  /** What the contract says of a route, beside its inputs and outputs. */
  interface FastifySchema {
    tags?: readonly string[];
    summary?: string;
    description?: string;
    consumes?: readonly string[];
    hide?: boolean;
    /** How clients call the operation. Stays once it is published. */
    operationId?: string;
    /** Where it is not what `config.auth` says. */
    security?: readonly Record<string, readonly string[]>[];
  }
  interface FastifyContextConfig {
    /** The multipart form that a route takes; checked by the route itself once the parts have arrived. */
    form?: TSchema;
    /** The body may be left out as a whole. */
    hasOptionalBody?: boolean;
    /** Media types of an answer that is not JSON. */
    produces?: string[];
    /** A person meets its refusals: most of them are pages. */
    refusesByPage?: boolean;
    /** Answers 304 to a client that sends the ETag it was given; images always do. */
    hasEtag?: boolean;
  }
}

/** Bytes, of which JSON Schema knows nothing but the media type. */
const file = Type.Unsafe<unknown>({
  contentMediaType: 'application/octet-stream',
  description: 'The bytes of the file',
  examples: ['(bytes)'],
});

export function fileForm(title: string, fields: TProperties): TSchema {
  return Type.Object({ file, ...fields }, { title });
}
