/** Serializes responses by the routes' response schemas. Only fields in the schema are sent. */
import { createRequire } from 'node:module';
import type { FastifySerializerCompiler } from 'fastify';

type WriteJson = (answer: unknown) => string;

/** The version of fast-json-stringify that Fastify depends on. */
const buildSerializer: (schema: object) => WriteJson = createRequire(import.meta.resolve('fastify'))(
  'fast-json-stringify',
);

/**
 * Returns a serializer that is compiled at its first use. Most schemas are those of errors, which the error handler
 * serializes itself.
 */
export const createLazySerializer: FastifySerializerCompiler<AnswerSchema> = ({ schema }) => {
  let write: WriteJson | undefined;
  return (answer) => {
    write ??= buildSerializer(withNullables(schema));
    return write(answer);
  };
};

interface AnswerSchema {
  type?: string | string[];
  properties?: Record<string, AnswerSchema>;
  items?: AnswerSchema;
  anyOf?: AnswerSchema[];
  oneOf?: AnswerSchema[];
  nullable?: boolean;
}

/**
 * Replaces "object or null" unions by nullable objects. For each union, fast-json-stringify would validate the value
 * with Ajv, which a nullable object does not need.
 */
function withNullables(schema: AnswerSchema): AnswerSchema {
  const { properties, items, anyOf, oneOf, ...others } = schema;
  const [one, other] = anyOf ?? [];
  if (one && other?.type === 'null') return { ...others, ...withNullables(one), nullable: true };
  return {
    ...others,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, each]) => [name, withNullables(each)]),
      ),
    }),
    ...(items && { items: withNullables(items) }),
    ...(anyOf && { anyOf: anyOf.map(withNullables) }),
    ...(oneOf && { oneOf: oneOf.map(withNullables) }),
  };
}
