/**
 * Makes JSON Schemas with TypeBox's types. Its own makers come with an engine for types that nothing here uses: 680
 * modules, 0.09 s of processor time at every start and 10 MB for good (ADR 29).
 */
import type { Type as TypeBox } from 'typebox';

type Made = 'Array' | 'Boolean' | 'Enum' | 'Integer' | 'Literal' | 'Null' | 'Number' | 'Object' | 'Omit';
type AlsoMade = 'Optional' | 'Pick' | 'Record' | 'String' | 'Union' | 'Unknown' | 'Unsafe';

type Schema = object;
type Properties = Record<string, Schema>;

const optional = '~optional';

/** Of the text, number or truth value that it must be. */
const ofType = (type: string) => (options?: Schema) => ({ type, ...options });

function objectOf(properties: Properties, options?: Schema) {
  const required = Object.keys(properties).filter((name) => !(optional in properties[name]!));
  return { type: 'object', ...(required.length > 0 && { required }), properties, ...options };
}

function withNames(properties: Properties, isWanted: (name: string) => boolean) {
  return objectOf(Object.fromEntries(Object.entries(properties).filter(([name]) => isWanted(name))));
}

const makers = {
  Array: (items: Schema, options?: Schema) => ({ type: 'array', items, ...options }),
  Boolean: ofType('boolean'),
  Enum: (values: unknown[], options?: Schema) => ({ enum: values, ...options }),
  Integer: ofType('integer'),
  Literal: (value: unknown, options?: Schema) => ({ type: typeof value, const: value, ...options }),
  Null: ofType('null'),
  Number: ofType('number'),
  Object: objectOf,
  Omit: ({ properties }: { properties: Properties }, names: string[]) =>
    withNames(properties, (name) => !names.includes(name)),
  // Not enumerable: the mark is in no contract, and a copy with other words does not have it.
  Optional: (schema: Schema) => Object.defineProperty({ ...schema }, optional, { value: true }),
  Pick: ({ properties }: { properties: Properties }, names: string[]) =>
    withNames(properties, (name) => names.includes(name)),
  Record: (_names: Schema, values: Schema, options?: Schema) => ({
    type: 'object',
    patternProperties: { '^.*$': values },
    ...options,
  }),
  String: ofType('string'),
  Union: (schemas: Schema[], options?: Schema) => ({ anyOf: schemas, ...options }),
  Unknown: (options?: Schema) => ({ ...options }),
  Unsafe: (schema: Schema) => schema,
};

export const Type = makers as unknown as Pick<typeof TypeBox, Made | AlsoMade>;
