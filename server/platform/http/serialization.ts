/** Writes answers by the routes' response schemas, which are the allow-list of what leaves. */
import fastJson from 'fast-json-stringify';
import type { FastifySerializerCompiler } from 'fastify';

/** Compiled at the first answer: most of the schemas are those of errors, which are written elsewhere. */
export const compileSerializer: FastifySerializerCompiler<object> = ({ schema }) => {
  let serialize: ((data: unknown) => string) | undefined;
  return (data) => {
    serialize ??= fastJson(schema) as (data: unknown) => string;
    return serialize(data);
  };
};
