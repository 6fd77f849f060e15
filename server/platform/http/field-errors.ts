/**
 * Translates Ajv's errors into the envelope's `errors`, `{field: [messages]}`, in plain words and in limited number.
 */
import type { ErrorObject } from 'ajv';
import type { FieldErrors } from '../errors/catalogue.ts';

/** Maximum fields named in one response. */
const maxFields = 50;
/** Maximum wrong items of one list that are reported. */
export const maxReportedItems = maxFields;
const maxMessages = 5;
const maxNameLength = 100;

/** Keywords whose message lists all allowed values. */
const listsValues = new Set(['enum', 'const', 'discriminator']);

/** Adds the errors of one part of a request. Fields inside objects are named with dots, e.g. `params.width`. */
export function addFieldErrors(fields: FieldErrors, errors: readonly ErrorObject[], part: string): void {
  const explained = new Set(
    errors.filter(({ keyword }) => listsValues.has(keyword)).map((error) => fieldName(error, part)),
  );
  for (const error of errors) {
    // An `if` error only says that `then` or `else` failed. The errors of that branch give the reason.
    if (error.keyword === 'if') continue;
    const field = fieldName(error, part);
    // The list of allowed values also says that the field is missing or has the wrong type.
    if (['type', 'required'].includes(error.keyword) && explained.has(field)) continue;
    addFieldError(fields, field, errorMessage(error));
  }
}

export function addFieldError(fields: FieldErrors, field: string, message: string): void {
  if (!Object.hasOwn(fields, field)) {
    if (Object.keys(fields).length >= maxFields) return;
    // `defineProperty` is used instead of an assignment, because a field may be named `__proto__`.
    Object.defineProperty(fields, field, { value: [], enumerable: true });
  }
  const messages = fields[field]!;
  if (!messages.includes(message) && messages.length < maxMessages) messages.push(message);
}

function fieldName(error: ErrorObject, part: string): string {
  const path = error.instancePath
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  const { missingProperty, field, tag } = error.params as Record<string, string | undefined>;
  const last = missingProperty ?? field ?? (error.keyword === 'discriminator' ? tag : undefined);
  if (last !== undefined) path.push(last.slice(0, maxNameLength));
  return path.join('.') || part;
}

const typeNames: Record<string, string> = {
  integer: 'a whole number',
  number: 'a number',
  string: 'text',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
};

function errorMessage(error: ErrorObject): string {
  const { limit = 0 } = error.params as { limit?: number };
  switch (error.keyword) {
    case 'required':
      return 'Is required';
    case 'type':
      return `Must be ${[error.params.type as string | string[]].flat().map(nameOfType).join(' or ')}`;
    case 'enum':
      return allowedValuesMessage(
        (error.params.allowedValues as unknown[]).filter((value) => value !== null),
      );
    case 'const':
      return `Must be ${JSON.stringify(error.params.allowedValue)}`;
    case 'discriminator':
      return allowedValuesMessage(allowedTags(error));
    case 'minimum':
      return `Must be at least ${limit}`;
    case 'maximum':
      return `Must be at most ${limit}`;
    case 'minLength':
      return limit === 1 ? 'Must not be empty' : `Must have at least ${limit} characters`;
    case 'maxLength':
      return `Must have at most ${limit} characters`;
    case 'minItems':
      return limit === 1 ? 'Must not be empty' : `Must have at least ${limit} items`;
    case 'maxItems':
      return `Must have at most ${limit} items`;
    case 'format':
      return formatMessages[error.params.format as string] ?? 'Has an invalid format';
    case 'pattern':
      return (
        (error.parentSchema as { patternMessage?: string } | undefined)?.patternMessage ??
        'Has an invalid format'
      );
    default:
      return error.message ?? 'Is invalid';
  }
}

const nameOfType = (type: string) => typeNames[type] ?? type;

const formatMessages: Record<string, string> = {
  text: 'Must not contain control characters or broken Unicode',
  email: 'Must be a valid email address',
  date: 'Must be a valid date such as 2026-03-01',
  birthday: 'Must be a valid date such as 2026-03-01',
};

function allowedValuesMessage(values: unknown[]): string {
  return values.length === 1 ? `Must be ${values[0]}` : `Must be one of ${values.join(', ')}`;
}

/** Returns the allowed values of the property that selects a branch of a `oneOf`. */
function allowedTags({ params, parentSchema }: ErrorObject): unknown[] {
  const branches = (parentSchema?.oneOf ?? []) as { properties: Record<string, Tag> }[];
  return branches.flatMap(({ properties }) => {
    const { const: only, enum: several } = properties[params.tag as string] ?? {};
    return several ?? [only];
  });
}

interface Tag {
  const?: unknown;
  enum?: unknown[];
}
