/** What routes say about themselves beyond their schemas, for the contract in `openapi.json`. */
import { type TProperties, type TSchema, Type } from 'typebox';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The multipart form that a route takes; checked by the route itself once the parts have arrived. */
    form?: TSchema;
    /** Media types of an answer that is not JSON. */
    produces?: string[];
  }
}

/** A form with a required `file` and these fields. */
export function fileForm(fields: TProperties): TSchema {
  return Type.Object({ file: Type.Unsafe<string>({ type: 'string', format: 'binary' }), ...fields });
}
