/** What routes say about themselves beyond their schemas, for the contract in `openapi.json`. */
import { type TProperties, type TSchema, Type } from 'typebox';

declare module 'fastify' {
  /** What the contract says of a route, beside its inputs and outputs. */
  interface FastifySchema {
    tags?: readonly string[];
    summary?: string;
    description?: string;
    consumes?: readonly string[];
    hide?: boolean;
  }
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
