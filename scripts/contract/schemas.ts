/**
 * Moves each schema with a `title` to `components.schemas`, and replaces other uses by references. Keywords
 * that only this project's validation knows are removed or translated.
 */
import { isDeepStrictEqual } from 'node:util';
import { mapped, type Schema } from './types.ts';

/** Returns a schema in which components are references. */
export type Draw = (schema: Schema) => Schema;

export interface Components {
  draw: Draw;
  /** Returns all collected components by name. */
  finish(): Record<string, Schema>;
}

interface Component {
  schema: Schema;
  /** Description and default that each use of the component has. */
  uses: Schema[];
}

/** Keywords that may stand beside a reference and may differ between uses. */
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

/** Moves the most frequent description and default of a component's uses to the component itself. */
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

/** Returns a copy of the schema in which `change` is applied to each inner schema. */
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

/** Maps the discriminator's values to components, so that clients know the branch of each value. */
function createMapping(schema: Schema): Schema {
  const { discriminator, oneOf } = schema as Union;
  if (!discriminator || !oneOf?.every(({ title }) => title)) return {};
  const entries = oneOf.flatMap(({ title, properties }) => {
    const { const: value, enum: values } = properties[discriminator.propertyName]!;
    return (values ?? [value!]).map((each) => [each, referenceTo(title!)]);
  });
  return { discriminator: { ...discriminator, mapping: Object.fromEntries(entries) } };
}

/** Formats that clients know. Other formats have a meaning in this project's validation only. */
const knownFormats: unknown[] = ['email', 'date', 'date-time', 'binary'];
const patternOf: Record<string, string> = { birthday: '^(\\d{4}-\\d{2}-\\d{2})?$' };

function withoutOwnKeywords({
  patternMessage: _,
  rule: __,
  whenNull: ___,
  trims: ____,
  format,
  ...schema
}: Schema): Schema {
  if (knownFormats.includes(format)) return { ...schema, format };
  const pattern = patternOf[format as string];
  return pattern ? { ...schema, pattern } : schema;
}
