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
    /** How clients call the operation. Stays once it is published. */
    operationId?: string;
    /** Where it is not what `config.auth` says. */
    security?: readonly Record<string, readonly string[]>[];
  }
  interface FastifyContextConfig {
    /** The multipart form that a route takes; checked by the route itself once the parts have arrived. */
    form?: TSchema;
    /** The body may be left out as a whole. */
    hasOptionalBody?: boolean;
    /** Media types of an answer that is not JSON. */
    produces?: string[];
    /** A person meets its refusals: most of them are pages. */
    refusesByPage?: boolean;
    /** Answers 304 to a client that sends the ETag it was given; images always do. */
    hasEtag?: boolean;
  }
}

/** Bytes, of which JSON Schema knows nothing but the media type. */
const file = Type.Unsafe<unknown>({
  contentMediaType: 'application/octet-stream',
  description: 'The bytes of the file',
  examples: ['(bytes)'],
});

/** A form with a required `file` and these fields. */
export function fileForm(title: string, fields: TProperties): TSchema {
  return Type.Object({ file, ...fields }, { title });
}
