/** Writes answers by the routes' response schemas, which are the allow-list of what leaves. */
import { createRequire } from 'node:module';
import type { FastifySerializerCompiler } from 'fastify';

type Write = (answer: unknown) => string;

/** The fast-json-stringify that Fastify depends on. */
const build: (schema: object) => Write = createRequire(import.meta.resolve('fastify'))('fast-json-stringify');

/** Compiled at the first answer: most of the schemas are those of errors, which the error handler writes itself. */
export const compileSerializer: FastifySerializerCompiler<AnswerSchema> = ({ schema }) => {
  let write: Write | undefined;
  return (answer) => {
    write ??= build(withNullables(schema));
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

/** fast-json-stringify checks the value by Ajv for each union. An object or null needs no check. */
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
