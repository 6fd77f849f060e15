/**
 * The validator behind every input. Beyond JSON Schema it knows:
 *
 * - `rule`: a function for what no other keyword can say;
 * - `items` and `uniqueItems` that cost no more than `maxItems` allows and name at most `maxBadItems` items:
 *   a body of 128 kB holds 60,000 wrong ids, and an error for each of them is a megabyte;
 * - the formats `text` and `birthday`.
 */
import { Ajv, type ErrorObject, type FuncKeywordDefinition } from 'ajv';
import formats, { type FormatsPlugin } from 'ajv-formats';
import { maxBadItems } from './field-errors.ts';

export const ajv = new Ajv({
  allErrors: true,
  coerceTypes: false,
  useDefaults: true,
  // What no schema names does not reach a handler.
  removeAdditional: 'all',
  strict: false,
  discriminator: true,
  verbose: true,
  passContext: true,
  // The schema of schemas is made of the keywords that are replaced below; `npm run check` validates our schemas.
  meta: false,
  validateSchema: false,
});

const plugin = formats as unknown as FormatsPlugin;
const { validate: isDay } = plugin.get('date') as { validate(value: string): boolean };
const email = plugin.get('email') as RegExp;
const maxEmailLength = 254;

const unpairedSurrogate = /\p{Surrogate}/u;
const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

/** Whether it is an email as all inputs take it. */
export function hasEmailFormat(value: string): boolean {
  return value.length <= maxEmailLength && email.test(value);
}

/** Text that both databases, JSON and a page can hold: no control characters but tab and line ends. */
ajv.addFormat('text', (value: string) => !control.test(value) && !unpairedSurrogate.test(value));
ajv.addFormat('date', isDay);
ajv.addFormat('email', hasEmailFormat);
/** A day of the calendar; `birthday` may also be empty. */
ajv.addFormat('birthday', (value: string) => value === '' || isDay(value));

type Check = ReturnType<NonNullable<FuncKeywordDefinition['compile']>>;
function isTooLong(list: unknown[], { maxItems }: Parent): boolean {
  return maxItems !== undefined && list.length > maxItems;
}

/** Calls `inner` for each item until too many were wrong. A list that is too long is refused for that alone. */
function compileItems(schema: object, parent: Parent): Check {
  const inner = ajv.compile(schema);
  const check: Check = function (this: unknown, list: unknown[], at) {
    if (isTooLong(list, parent)) return true;
    const place = { ...at!, instancePath: '', parentData: list, parentDataProperty: 0 };
    const errors: ErrorObject[] = [];
    let bad = 0;
    for (let index = 0; index < list.length && bad < maxBadItems; index++) {
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

/** For lists of texts and numbers. */
function compileUniqueItems(isWanted: boolean, parent: Parent): Check {
  const check: Check = (list: unknown[]) => {
    if (!isWanted || isTooLong(list, parent)) return true;
    check.errors = [{ keyword: 'uniqueItems', params: {}, message: 'must not name the same twice' }];
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
  /** Seconds since 1970, UTC. */
  clock(): number;
  allowPrivateTargets: boolean;
}

/**
 * What is wrong with a value: a message, or messages by field of an object; undefined when nothing is. A rule is
 * asked only of a value that has its schema's own type and length; what is inside may be of any type.
 */
// biome-ignore lint/suspicious/noExplicitAny: each rule knows the type that its schema has
export type Rule = (value: any, context: RuleContext) => string | Record<string, string> | undefined;

interface Parent {
  type?: string | string[];
  maxLength?: number;
  maxItems?: number;
}

ajv.addKeyword({
  keyword: 'rule',
  compile(rule: Rule, schema) {
    const parent = schema as Parent;
    const types = [parent.type ?? []].flat();
    const max = parent.maxLength ?? parent.maxItems ?? Number.POSITIVE_INFINITY;
    const check = function (this: RuleContext, value: unknown): boolean {
      if (!types.includes(typeOf(value)) || isLonger(value, max)) return true;
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

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/**
 * Counts characters, as `maxLength` does: an emoji is one character of two UTF-16 units. A text of more than twice as
 * many units is too long without counting.
 */
function isLonger(value: unknown, max: number): boolean {
  if (Array.isArray(value)) return value.length > max;
  if (typeof value !== 'string' || value.length <= max) return false;
  return value.length > 2 * max || Array.from(value).length > max;
}
