/** Checks that schemas and examples are valid, and that no schema is repeated. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats, { type FormatsPlugin } from 'ajv-formats';
import { withParts } from './schemas.ts';
import type { Contract, Media, Schema } from './types.ts';

export function mistakesInSchemas(contract: Contract): string[] {
  return [...missingReferences(contract), ...mistakesInExamples(contract), ...repeatedSchemas(contract)];
}

function missingReferences(contract: Contract): string[] {
  const references = [...JSON.stringify(contract).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(
    (match) => match[1]!,
  );
  const find = (reference: string) =>
    reference.split('/').reduce<unknown>((inner, key) => (inner as Record<string, unknown>)?.[key], contract);
  return [...new Set(references)]
    .filter((reference) => find(reference) === undefined)
    .map((reference) => `#/${reference} does not exist`);
}

/** Checks that every schema compiles and every example matches its schema. */
function mistakesInExamples(contract: Contract): string[] {
  const ajv = new Ajv2020({
    strict: true,
    strictRequired: false,
    allowUnionTypes: true,
    validateSchema: false,
  });
  (formats as unknown as FormatsPlugin)(ajv, ['date', 'date-time', 'email', 'binary']);
  ajv.addVocabulary(['example', 'discriminator', 'components']);
  const schemas = contract.components.schemas as Record<string, Schema>;
  ajv.addSchema({ $id: 'contract', components: { schemas } } as object);

  function check(schema: Schema, values: unknown[]): string[] {
    try {
      const validate = ajv.compile(inContract(schema));
      return values
        .filter((value) => !validate(value))
        .map((value) => `an example is not what its schema says: ${JSON.stringify(value)}`);
    } catch (error) {
      return [`a schema is wrong: ${(error as Error).message} in ${JSON.stringify(schema).slice(0, 200)}`];
    }
  }

  const own = Object.values(schemas).flatMap((schema) => check(schema, (schema.examples as unknown[]) ?? []));
  return [
    ...own,
    ...mediaIn(contract).flatMap(({ schema = {}, ...media }) => check(schema, listExampleValues(media))),
  ];
}

/** Points references to the document with all components, which the validator knows as `contract`. */
function inContract(schema: Schema): Schema {
  const { $ref, ...rest } = withParts(schema, inContract);
  return typeof $ref === 'string' ? { ...rest, $ref: `contract${$ref}` } : rest;
}

function listExampleValues({ example, examples = {} }: Media): unknown[] {
  return [...Object.values(examples).map(({ value }) => value), ...(example === undefined ? [] : [example])];
}

/** Returns the content of all requests and responses inside a value. */
function mediaIn(value: unknown): Media[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'content' ? (Object.values(inner) as Media[]) : mediaIn(inner),
  );
}

/**
 * Finds unnamed schemas that two or more operations use. With a name, generated clients have one type for all of them.
 */
function repeatedSchemas(contract: Contract): string[] {
  const operations = Object.values(contract.paths).flatMap((item) => Object.values(item));
  const places = [
    ...operations,
    ...Object.values(contract.components).flatMap((parts) => Object.values(parts)),
  ];
  const seen = new Map<string, number>();
  for (const place of places) {
    const shapes = new Set(
      mediaAndParameters(place)
        .flatMap(worthAName)
        .map((schema) => JSON.stringify(schema)),
    );
    for (const shape of shapes) seen.set(shape, (seen.get(shape) ?? 0) + 1);
  }
  return [...seen]
    .filter(([, count]) => count > 1)
    .map(([shape]) => `needs a name (a title), for it stands in more than one place: ${shape.slice(0, 300)}`);
}

/** Returns the schemas of an operation or a component. */
function mediaAndParameters(place: unknown): Schema[] {
  const {
    parameters = [],
    schema,
    properties,
    oneOf,
  } = place as {
    parameters?: { schema?: Schema }[];
    schema?: Schema;
    properties?: Record<string, Schema>;
    oneOf?: Schema[];
  };
  const inner = [...parameters.map((parameter) => parameter.schema ?? {}), ...(schema ? [schema] : [])];
  return [
    ...mediaIn(place).map((media) => media.schema ?? {}),
    ...inner,
    ...Object.values(properties ?? {}),
    ...(oneOf ?? []),
  ];
}

/**
 * Returns schemas that need a name if repeated: objects with at least two fields, and at least three choices.
 */
function worthAName(schema: Schema): Schema[] {
  const found: Schema[] = [];
  const {
    description: _,
    examples: __,
    default: ___,
    ...shape
  } = withParts(schema, (part) => {
    found.push(...worthAName(part));
    return bare(part);
  });
  const { properties = {}, enum: choices = [] } = shape as { properties?: object; enum?: unknown[] };
  if (Object.keys(properties).length > 1 || choices.filter((choice) => choice !== null).length > 2)
    found.push(shape);
  return found;
}

function bare(schema: Schema): Schema {
  const { description: _, examples: __, default: ___, ...shape } = withParts(schema, bare);
  return shape;
}
