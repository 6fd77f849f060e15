/**
 * A schema with a `title` is a component: it stands once, under `components.schemas`, and everywhere else by
 * reference. What only our validation understands is taken out, or said in words that every client knows.
 */
import { isDeepStrictEqual } from 'node:util';
import { mapped, type Schema } from './types.ts';

/** The schema, with its components by reference. */
export type Draw = (schema: Schema) => Schema;

export interface Components {
  draw: Draw;
  /** All components, by name. */
  finish(): Record<string, Schema>;
}

interface Component {
  schema: Schema;
  /** What each use says of it. */
  uses: Schema[];
}

/** What may stand beside a reference, and differ from use to use. */
const aside = ['description', 'default'] as const;

export function createComponents(): Components {
  const components = new Map<string, Component>();

  function draw(schema: Schema): Schema {
    const drawn = { ...withParts(withoutOwnKeywords(schema), draw), ...createMapping(schema) };
    if (typeof schema.title !== 'string') return drawn;
    const { title: name, description, default: fallback, ...own } = drawn as Schema & { title: string };
    const use = { $ref: referenceTo(name), ...pick({ description, default: fallback }) };
    const known = components.get(name);
    if (known && !isDeepStrictEqual(known.schema, own)) throw new Error(differs(name, known.schema, own));
    if (known) known.uses.push(use);
    else components.set(name, { schema: own, uses: [use] });
    return use;
  }

  return {
    draw,
    finish() {
      const sorted = [...components].sort(([a], [b]) => (a < b ? -1 : 1));
      return Object.fromEntries(sorted.map(([name, component]) => [name, withUsualWords(component)]));
    },
  };
}

export const referenceTo = (name: string) => `#/components/schemas/${name}`;

/** What most uses say of a component is said once, by itself. */
function withUsualWords({ schema, uses }: Component): Schema {
  const words: Schema = {};
  for (const key of aside) {
    const said = uses.map((use) => use[key]);
    const usual = said.toSorted(
      (a, b) => said.filter((v) => v === b).length - said.filter((v) => v === a).length,
    )[0];
    if (usual === undefined) continue;
    words[key] = usual;
    for (const use of uses) if (use[key] === usual) delete use[key];
  }
  return { ...words, ...schema };
}

function pick(values: Schema): Schema {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

function differs(name: string, ...schemas: Schema[]): string {
  return `two schemas are called ${name}:\n${schemas.map((schema) => JSON.stringify(schema)).join('\n')}`;
}

/** The same keyword by keyword, with `change` done to each schema inside. */
export function withParts(schema: Schema, change: (part: Schema) => Schema): Schema {
  const parts: Schema = {};
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'properties' || key === 'patternProperties')
      parts[key] = mapped(value as Record<string, Schema>, change);
    else if (['oneOf', 'anyOf', 'allOf'].includes(key)) parts[key] = (value as Schema[]).map(change);
    else if (['items', 'additionalProperties', 'not'].includes(key) && typeof value === 'object')
      parts[key] = change(value as Schema);
    else parts[key] = value;
  }
  return parts;
}

interface Union {
  discriminator?: { propertyName: string };
  oneOf?: { title?: string; properties: Record<string, { const?: string; enum?: string[] }> }[];
}

/** Where the branches of a `oneOf` are components, clients are told which value leads to which. */
function createMapping(schema: Schema): Schema {
  const { discriminator, oneOf } = schema as Union;
  if (!discriminator || !oneOf?.every(({ title }) => title)) return {};
  const entries = oneOf.flatMap(({ title, properties }) => {
    const { const: value, enum: values } = properties[discriminator.propertyName]!;
    return (values ?? [value!]).map((each) => [each, referenceTo(title!)]);
  });
  return { discriminator: { ...discriminator, mapping: Object.fromEntries(entries) } };
}

/** Formats that clients know; the others mean something to our validation only. */
const knownFormats: unknown[] = ['email', 'date', 'date-time', 'binary'];
const patternOf: Record<string, string> = { birthday: '^(\\d{4}-\\d{2}-\\d{2})?$' };

function withoutOwnKeywords({
  patternMessage: _,
  rule: __,
  whenNull: ___,
  format,
  ...schema
}: Schema): Schema {
  if (knownFormats.includes(format)) return { ...schema, format };
  const pattern = patternOf[format as string];
  return pattern ? { ...schema, pattern } : schema;
}
