/**
 * Checks input against the routes' schemas, with every bad field named at once. Bodies are taken as they are:
 * "1" is not 1. In paths and query strings, where everything is text, a plain decimal becomes an integer;
 * `1e3`, `0x10`, ` 1` and `01` do not.
 */
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import formats, { type FormatsPlugin } from 'ajv-formats';
import type { FastifySchemaCompiler } from 'fastify';
import type { Static, TSchema } from 'typebox';
import { type FieldErrors, invalidFields } from './errors.ts';

const ajv = new Ajv({
  allErrors: true,
  coerceTypes: false,
  useDefaults: true,
  removeAdditional: false,
  strict: false,
  discriminator: true,
  verbose: true,
});
(formats as unknown as FormatsPlugin)(ajv, ['date', 'email']);

const unpairedSurrogate = /\p{Surrogate}/u;
const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

/** Text that both databases, JSON and a page can hold: no control characters but tab and line ends. */
ajv.addFormat('text', (value: string) => !control.test(value) && !unpairedSurrogate.test(value));

/** A day of the calendar; `birthday` may also be empty. */
const { validate: isDay } = (formats as unknown as FormatsPlugin).get('date') as {
  validate(value: string): boolean;
};
ajv.addFormat('birthday', (value: string) => value === '' || isDay(value));

type Properties = Record<string, { type?: string; minimum?: number }>;

export const compileValidator: FastifySchemaCompiler<{ properties?: Properties }> = ({
  schema,
  httpPart,
}) => {
  const validate = compileWhenUsed(schema);
  if (httpPart === 'body') return (value) => outcome(validate(), value);
  const integers = Object.entries(schema.properties ?? {})
    .filter(([, property]) => property.type === 'integer')
    .map(([name]) => name);
  return (value) => outcome(validate(), withIntegers(value as Record<string, unknown>, integers));
};

/** Compiling every schema at the start would cost more memory and time than the rest of it. */
function compileWhenUsed(schema: object): () => ValidateFunction {
  let validate: ValidateFunction | undefined;
  return () => {
    validate ??= ajv.compile(schema);
    return validate;
  };
}

/** Checks the text fields of a form. Throws 400 that names every bad one. */
export function createFormCheck<Schema extends TSchema>(schema: Schema): (fields: object) => Static<Schema> {
  const validate = compileValidator({
    schema: schema as never,
    method: '',
    url: '',
    httpPart: 'querystring',
  });
  return (fields) => {
    const result = validate({ ...fields }) as { value?: Static<Schema>; error?: ErrorObject[] };
    if (result.error) throw invalidFields(fieldErrorsOf(result.error));
    return result.value as Static<Schema>;
  };
}

function outcome(validate: ValidateFunction, value: unknown) {
  return validate(value) ? { value } : { error: validate.errors as never };
}

/** Longer than any number we take: such a one is too large, not no number. */
const decimal = /^(0|-?[1-9]\d{0,39})$/;

function withIntegers(value: Record<string, unknown>, names: string[]): Record<string, unknown> {
  for (const name of names) {
    const given = value[name];
    if (typeof given === 'string' && decimal.test(given)) value[name] = Number(given);
  }
  return value;
}

/** Ajv's errors as `{field: [messages]}`. Fields inside objects are named with dots: `params.width`. */
export function fieldErrorsOf(validation: readonly unknown[], context = 'body'): FieldErrors {
  const fields: FieldErrors = {};
  for (const error of validation as ErrorObject[]) {
    // `anyOf` and the like only say that their branches failed, which the branches' own errors say better.
    if (error.keyword === 'if') continue;
    const field = fieldOf(error, context);
    const message = messageOf(error);
    fields[field] ??= [];
    if (!fields[field].includes(message) && fields[field].length < 5) fields[field].push(message);
  }
  return fields;
}

function fieldOf(error: ErrorObject, context: string): string {
  const path = error.instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  const { missingProperty, additionalProperty, tag } = error.params as Record<string, string | undefined>;
  const last = missingProperty ?? additionalProperty ?? (error.keyword === 'discriminator' ? tag : undefined);
  if (last !== undefined) path.push(last.slice(0, 100));
  return path.join('.') || context;
}

function messageOf(error: ErrorObject): string {
  switch (error.keyword) {
    case 'required':
      return 'is required';
    case 'additionalProperties':
      return 'is not a known field';
    case 'enum':
      return `must be one of ${(error.params.allowedValues as unknown[]).join(', ')}`;
    case 'const':
      return `must be ${JSON.stringify(error.params.allowedValue)}`;
    case 'discriminator':
      return 'is not one of the allowed values';
    case 'format':
      return error.params.format === 'text'
        ? 'must not contain control characters or broken Unicode'
        : `must be a valid ${error.params.format === 'email' ? 'email address' : 'date such as 2026-03-01'}`;
    case 'pattern':
      return (
        (error.parentSchema as { patternMessage?: string } | undefined)?.patternMessage ?? 'has a wrong form'
      );
    default:
      return (error.message ?? 'is invalid').replace(/^must NOT /, 'must not ');
  }
}
