/**
 * Creates JSON Schemas with TypeBox's types. TypeBox's own functions load a type engine that this project does not
 * need. The engine has 680 modules and costs 0.09 s of CPU time per start and 10 MB of memory (ADR 29).
 */
import type { Type as TypeBox } from 'typebox';

type MadeNames = 'Array' | 'Boolean' | 'Enum' | 'Integer' | 'Literal' | 'Null' | 'Number' | 'Object' | 'Omit';
type MoreMadeNames = 'Optional' | 'Pick' | 'Record' | 'String' | 'Union' | 'Unknown' | 'Unsafe';

type Schema = object;
type Properties = Record<string, Schema>;

const optionalMark = '~optional';

/** Returns a function that creates a schema for a value of a JSON type, such as `string` or `integer`. */
const ofType = (type: string) => (options?: Schema) => ({ type, ...options });

function createObject(properties: Properties, options?: Schema) {
  const required = Object.keys(properties).filter((name) => !(optionalMark in properties[name]!));
  return { type: 'object', ...(required.length > 0 && { required }), properties, ...options };
}

function withNames(properties: Properties, isWanted: (name: string) => boolean) {
  return createObject(Object.fromEntries(Object.entries(properties).filter(([name]) => isWanted(name))));
}

const typeMakers = {
  Array: (items: Schema, options?: Schema) => ({ type: 'array', items, ...options }),
  Boolean: ofType('boolean'),
  Enum: (values: unknown[], options?: Schema) => ({ enum: values, ...options }),
  Integer: ofType('integer'),
  Literal: (value: unknown, options?: Schema) => ({ type: typeof value, const: value, ...options }),
  Null: ofType('null'),
  Number: ofType('number'),
  Object: createObject,
  Omit: ({ properties }: { properties: Properties }, names: string[]) =>
    withNames(properties, (name) => !names.includes(name)),
  // The marker is not enumerable, so it appears in no contract, and a copy of the schema with another description lacks
  // it.
  Optional: (schema: Schema) => Object.defineProperty({ ...schema }, optionalMark, { value: true }),
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

export const Type = typeMakers as unknown as Pick<typeof TypeBox, MadeNames | MoreMadeNames>;
