/** Generates values for a schema: valid, nearly valid and wild values. */
import { contract } from '../../support/contract.ts';
import type { Random } from '../../support/random.ts';

export type Schema = Record<string, unknown>;

/** Returns the schema that a `$ref` points to, or the schema itself if it has no `$ref`. */
export function resolved(schema: Schema): Schema {
  if (typeof schema.$ref !== 'string') return schema;
  const keys = schema.$ref.split('/').slice(1);
  return resolved(keys.reduce<unknown>((inner, key) => (inner as Schema)[key], contract) as Schema);
}

/** Texts that often break quoting, types, Unicode, patterns, prototypes or databases. */
const wildTexts = [
  '',
  ' ',
  '\t\n',
  '\u0000',
  '\u001b[31m',
  '\ud800',
  '\u{1f600}'.repeat(60),
  'e\u0301\u202etxt.exe',
  'ẞßİıſK',
  "' OR 1=1 --",
  '"; DROP TABLE photos; --',
  '%',
  '_',
  '\\',
  '*',
  '"unclosed',
  'a AND NOT (b',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '../../etc/passwd',
  '__proto__',
  'constructor',
  'null',
  'undefined',
  'true',
  'NaN',
  'Infinity',
  '-0',
  '1e400',
  '0x10',
  '1.5',
  '-1',
  '0',
  '2147483648',
  '9007199254740991',
  '9223372036854775808',
  '9'.repeat(60),
  '١٢٣',
  '2024-02-29',
  '2023-02-29',
  '0000-01-01',
  '9999-12-31',
  '10000-01-01',
  'a,b,,c',
  'x'.repeat(51),
  'x'.repeat(201),
  'x'.repeat(3000),
  'https://hook.invalid/a',
  'http://127.0.0.1/',
  'http://[::1]:9/',
  'ftp://x',
];

const wildNumbers = [
  0,
  -0,
  -1,
  1.5,
  0.1 + 0.2,
  2 ** 31,
  2 ** 53,
  1e21,
  1e308,
  -1e308,
  Number.MIN_VALUE,
  Number.MAX_SAFE_INTEGER,
];

export const wildText = (random: Random) => random.pick(wildTexts);

/** Returns a random JSON value of any type. */
export function wildValue(random: Random, depth = 0): unknown {
  switch (random.below(depth > 2 ? 5 : 9)) {
    case 0:
      return null;
    case 1:
      return random.chance(0.5);
    case 2:
      return random.pick(wildNumbers);
    case 3:
    case 4:
      return wildText(random);
    case 5:
      return Array.from({ length: random.pick([0, 1, 2, 101, 600]) }, () => random.pick(wildNumbers));
    case 6:
      return Array.from({ length: random.below(4) }, () => wildValue(random, depth + 1));
    case 7:
      return deep(random.pick([5, 500]));
    default:
      return Object.fromEntries(
        Array.from({ length: random.below(4) }, () => [wildText(random), wildValue(random, depth + 1)]),
      );
  }
}

function deep(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = level % 2 ? [value] : { a: value };
  return value;
}

export interface Known {
  ids: number[];
  names: string[];
}

/** Returns a value that the schema accepts in most cases. Parts of an object or an array may be wild. */
export function valueFor(random: Random, given: Schema, known: Known): unknown {
  const schema = resolved(given);
  if (random.chance(0.12)) return wildValue(random);
  if (Array.isArray(schema.examples) && random.chance(0.2)) return random.pick(schema.examples);
  const branches = (schema.oneOf ?? schema.anyOf) as Schema[] | undefined;
  if (branches) return valueFor(random, random.pick(branches), known);
  if ('const' in schema) return schema.const;
  if (Array.isArray(schema.enum)) return random.pick(schema.enum);
  switch (random.pick([schema.type].flat())) {
    case 'integer':
    case 'number':
      return numberFor(random, schema, known);
    case 'string':
      return textFor(random, schema, known);
    case 'boolean':
      return random.chance(0.5);
    case 'null':
      return null;
    case 'array':
      return Array.from({ length: random.pick([0, 1, 2, 3, 40]) }, () =>
        valueFor(random, (schema.items ?? {}) as Schema, known),
      );
    case 'object':
      return objectFor(random, schema, known);
    default:
      return wildValue(random);
  }
}

function numberFor(random: Random, { minimum = 0, maximum = 100 }: Schema, { ids }: Known): number {
  const [least, max] = [minimum as number, maximum as number];
  return random.pick([least, least - 1, max, Math.min(max + 1, 2 ** 53), ...ids, random.below(200)]);
}

function textFor(random: Random, { format, maxLength = 50 }: Schema, { names }: Known): string {
  if (format === 'date') return random.pick(['2026-03-01', '1970-01-01', '2024-02-29', '2026-02-30']);
  if (format === 'email')
    return random.pick(['a@example.org', `u${random.below(1e9)}@example.org`, 'a@b', '@']);
  const max = Math.min(maxLength as number, 3000);
  return random.pick([
    ...names,
    wildText(random),
    `w${random.below(1e9)}`,
    'x'.repeat(max),
    'x'.repeat(max + 1),
  ]);
}

export function objectFor(random: Random, schema: Schema, known: Known): Record<string, unknown> {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
  const required = (schema.required ?? []) as string[];
  const given = properties
    .filter(([name]) => random.chance(required.includes(name) ? 0.95 : 0.5))
    .map(([name, inner]) => [name, valueFor(random, inner, known)]);
  if (random.chance(0.05)) given.push([wildText(random), wildValue(random)]);
  return Object.fromEntries(given);
}
