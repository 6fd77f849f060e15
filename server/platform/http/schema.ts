/**
 * Parts of input and output schemas that several modules use. A schema with a `title` becomes a named component of the
 * OpenAPI document, and clients get one type for that component. No other code reads titles.
 */
import type { Static, TProperties, TSchema } from 'typebox';
import { Type } from '../schema/type.ts';

export const idField = (what: string) =>
  Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: `Id of the ${what}` });

export const idOrZeroField = (description: string) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description });

export const nullableIdField = (description: string) =>
  Type.Unsafe<number | null>({ ...idOrZeroField(description), type: ['integer', 'null'] });

export const idParams = (what: string) => Type.Object({ id: idField(what) });

/**
 * Returns the schema of text that a user types: limited length in characters, no control characters, no invalid
 * Unicode.
 */
export const textField = (maxLength: number, description: string) =>
  Type.String({ maxLength, format: 'text', description });

/**
 * Returns the schema without the blanks and invisible characters around the text, which phones add to names and email
 * addresses. Passwords are not trimmed.
 */
export const trimmedField = <Schema extends TSchema>(schema: Schema): Schema => ({
  ...schema,
  trims: 'blanks',
});

/**
 * Returns the schema of a name or title: text of one line, trimmed, without the characters that turn the direction of
 * other text.
 */
export const lineField = (maxLength: number, description: string) =>
  Type.String({ ...textField(maxLength, description), trims: 'line' });

interface NullableSchema {
  type?: string;
  enum?: unknown[];
  title?: string;
}

/**
 * Returns a schema that also accepts null. Null is replaced by `unset`, the value of a field that was never set. If
 * `unset` is undefined, null means that the field is absent.
 */
export function nullableField<Schema extends TSchema>(schema: Schema, unset?: Static<Schema>) {
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

/** Returns the schema of a flag with a default. Null stands for the default. */
export const nullableFlagField = (description: string) => nullableField(flagField(description));

/**
 * Field for the body of a call that toggles a state. A client that repeats a call after losing the response names the
 * wanted state.
 */
export const wantedStateField = Type.Optional(
  nullableField(
    Type.Boolean({ description: 'New state; left out or null: toggles the state', examples: [true] }),
  ),
);

/** Returns a schema that accepts one of several texts. */
export const choiceField = <const Value extends string>(values: readonly Value[], more: object = {}) =>
  Type.Unsafe<Value>({ type: 'string', enum: [...values], ...more });

export const SortOrder = choiceField(['asc', 'desc'], {
  title: 'SortOrder',
  default: 'desc',
  description: 'Sort direction: ascending or descending',
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

/** Returns the schema of a time without a time zone. */
export const wallClockField = (description: string) =>
  Type.String({
    pattern: `^${time}$`,
    description: `${description}; YYYY-MM-DD HH:MM:SS`,
    ...timeExample,
  });

/** Returns the schema of a time, or "" if there is none. `none` describes that case. */
export const timeOrEmptyField = (description: string, none: string) =>
  Type.String({
    pattern: `^(${time})?$`,
    description: `${description}; ${timeFormat}; "" ${none}`,
    ...timeExample,
  });

/** Returns the schema of a flag in a response: integer 1 or 0. */
export const flagResponseField = (description: string) =>
  Type.Integer({ minimum: 0, maximum: 1, description });

declare module 'fastify' {
  /** Information about a route in the OpenAPI document, besides its inputs and outputs. */
  interface FastifySchema {
    tags?: readonly string[];
    summary?: string;
    description?: string;
    consumes?: readonly string[];
    hide?: boolean;
    /** Name of the operation in generated clients, which must not change after its release. */
    operationId?: string;
    /** Security requirements that differ from `config.auth`. */
    security?: readonly Record<string, readonly string[]>[];
  }
  interface FastifyContextConfig {
    /**
     * Schema of the multipart form that a route accepts. The route itself checks the form after its parts have arrived.
     */
    form?: TSchema;
    /** Whether a request to the route may omit the whole body. */
    hasOptionalBody?: boolean;
    /** Media types of the route's response if it is not JSON. */
    produces?: string[];
    /** Whether most errors of the route are sent as pages, because people see them. */
    refusesByPage?: boolean;
    /** Whether the route answers 304 to a client that sends the current ETag. Images always do. */
    hasEtag?: boolean;
  }
}

/**
 * Schema of a file's bytes. OpenAPI 3.1 describes bytes by their media type alone, but generators of clients still need
 * the type and format of OpenAPI 3.0.
 */
const file = Type.Unsafe<unknown>({
  type: 'string',
  format: 'binary',
  contentMediaType: 'application/octet-stream',
  description: 'Bytes of the file',
  examples: ['(bytes)'],
});

export function fileFormSchema(title: string, fields: TProperties): TSchema {
  return Type.Object({ file, ...fields }, { title });
}
