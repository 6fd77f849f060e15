/**
 * The JSON Schema validator for all inputs. In addition to JSON Schema it supports:
 *
 * - `rule`: a function for checks that no other keyword can express;
 * - `trims`: removes blanks and invisible characters around a text before its other checks. The value `line` also makes
 *   the text one line (`platform/schema/line.ts`);
 * - `items` and `uniqueItems` with bounded cost: they check at most `maxItems` items and report at most `maxReportedItems`.
 *   A body of 128 kB can hold 60,000 wrong ids, and an error for each would take a megabyte;
 * - the formats `text` and `birthday`.
 */
import { Ajv, type ErrorObject, type FuncKeywordDefinition } from 'ajv';
import formats, { type FormatsPlugin } from 'ajv-formats';
import { cleanLine, trimBlanks } from '../schema/line.ts';
import { maxReportedItems } from './field-errors.ts';

export const ajv = new Ajv({
  allErrors: true,
  coerceTypes: false,
  useDefaults: true,
  // Properties that no schema names are removed before a handler sees them.
  removeAdditional: 'all',
  strict: false,
  discriminator: true,
  verbose: true,
  passContext: true,
  // The meta-schema would reject the replaced keywords. `npm run check` validates the schemas instead.
  meta: false,
  validateSchema: false,
});

const formatsPlugin = formats as unknown as FormatsPlugin;
const { validate: isDay } = formatsPlugin.get('date') as { validate(value: string): boolean };
const emailPattern = formatsPlugin.get('email') as RegExp;
const maxEmailLength = 254;

const unpairedSurrogate = /\p{Surrogate}/u;
const controlCharacterPattern = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

/** Whether the text is an email address as all inputs accept it. */
export function hasEmailFormat(value: string): boolean {
  return value.length <= maxEmailLength && emailPattern.test(value);
}

/** Text that both databases, JSON and HTML can hold: no control characters except tabs and line breaks. */
ajv.addFormat(
  'text',
  (value: string) => !controlCharacterPattern.test(value) && !unpairedSurrogate.test(value),
);
ajv.addFormat('date', isDay);
ajv.addFormat('email', hasEmailFormat);
/** A calendar day. A `birthday` may also be empty. */
ajv.addFormat('birthday', (value: string) => value === '' || isDay(value));

type Check = ReturnType<NonNullable<FuncKeywordDefinition['compile']>>;
function isTooLong(list: unknown[], { maxItems }: Parent): boolean {
  return maxItems !== undefined && list.length > maxItems;
}

/**
 * Returns a check that calls `inner` for each item until too many are wrong. For a list that is too long, only its
 * length is reported.
 */
function compileItems(schema: object, parent: Parent): Check {
  const inner = ajv.compile(schema);
  const check: Check = function (this: unknown, list: unknown[], at) {
    if (isTooLong(list, parent)) return true;
    const place = { ...at!, instancePath: '', parentData: list, parentDataProperty: 0 };
    const errors: ErrorObject[] = [];
    let bad = 0;
    for (let index = 0; index < list.length && bad < maxReportedItems; index++) {
      place.parentDataProperty = index;
      if (inner.call(this as never, list[index], place)) continue;
      bad++;
      for (const error of inner.errors!) {
        error.instancePath = `${at!.instancePath}/${index}${error.instancePath}`;
        errors.push(error);
      }
    }
    check.errors = errors;
    return bad === 0;
  };
  return check;
}

/** Returns a check for duplicates in lists of strings and numbers. */
function compileUniqueItems(isWanted: boolean, parent: Parent): Check {
  const check: Check = (list: unknown[]) => {
    if (!isWanted || isTooLong(list, parent)) return true;
    check.errors = [{ keyword: 'uniqueItems', params: {}, message: 'Must not contain the same value twice' }];
    return new Set(list).size === list.length;
  };
  return check;
}

ajv.removeKeyword('items').removeKeyword('uniqueItems');
ajv.addKeyword({ keyword: 'items', type: 'array', schemaType: 'object', compile: compileItems as never });
ajv.addKeyword({
  keyword: 'uniqueItems',
  type: 'array',
  schemaType: 'boolean',
  compile: compileUniqueItems as never,
});

export interface RuleContext {
  /** Returns the current time in seconds since 1970, UTC. */
  clock(): number;
  allowPrivateTargets: boolean;
}

/**
 * Checks a value beyond its schema. Returns a message, messages by field of an object, or undefined for a valid value.
 * A rule runs only if the value has its schema's type and length; values inside it may have any type.
 */
// biome-ignore lint/suspicious/noExplicitAny: each rule knows the type that its schema has
export type ValueRule = (value: any, context: RuleContext) => string | Record<string, string> | undefined;

const cleaners = { line: cleanLine, blanks: trimBlanks };

function compileTrims(how: keyof typeof cleaners): Check {
  return (text: string, at) => {
    at!.parentData[at!.parentDataProperty] = cleaners[how](text);
    return true;
  };
}

ajv.addKeyword({
  keyword: 'trims',
  type: 'string',
  schemaType: 'string',
  before: 'maxLength',
  modifying: true,
  errors: false,
  compile: compileTrims,
});

interface Parent {
  type?: string | string[];
  maxLength?: number;
  maxItems?: number;
}

ajv.addKeyword({
  keyword: 'rule',
  compile(rule: ValueRule, schema) {
    const parent = schema as Parent;
    const types = [parent.type ?? []].flat();
    const max = parent.maxLength ?? parent.maxItems ?? Number.POSITIVE_INFINITY;
    const check = function (this: RuleContext, value: unknown): boolean {
      if (!types.includes(jsonType(value)) || isLonger(value, max)) return true;
      const found = rule(value, this);
      if (found === undefined) return true;
      const fields = typeof found === 'string' ? [[undefined, found]] : Object.entries(found);
      if (fields.length === 0) return true;
      check.errors = fields.map(([field, message]) => ({ keyword: 'rule', message, params: { field } }));
      return false;
    };
    check.errors = [] as object[];
    return check;
  },
});

function jsonType(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/**
 * Whether a list or text is too long. Counts characters like `maxLength`: an emoji is one character of two UTF-16
 * units. A text with more than twice as many units is too long without counting.
 */
function isLonger(value: unknown, max: number): boolean {
  if (Array.isArray(value)) return value.length > max;
  if (typeof value !== 'string' || value.length <= max) return false;
  return value.length > 2 * max || Array.from(value).length > max;
}
