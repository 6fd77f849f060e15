/** The parts of an OpenAPI 3.1 document that the scripts here touch. https://spec.openapis.org/oas/v3.1.1 */
import type { ErrorName } from '../../server/http/errors.ts';

export type Schema = Record<string, unknown>;

export interface Media {
  schema?: Schema;
  example?: unknown;
  examples?: Record<string, { summary?: string; value: unknown }>;
}

export interface Response {
  /** Instead of everything else: an entry of `components.responses`. */
  $ref?: string;
  description?: string;
  headers?: Record<string, unknown>;
  content?: Record<string, Media>;
}

export interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema?: Schema;
}

export interface Operation {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: string[];
  security?: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, Media> };
  responses: Record<string, Response>;
  /** Handed from the routes to `build.ts`; not in the finished document. */
  'x-errors'?: ErrorName[];
  'x-refuses-by-page'?: boolean;
}

export type PathItem = Record<string, Operation>;

export interface Contract {
  openapi: string;
  info: Record<string, unknown>;
  servers: { url: string; description?: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, PathItem>;
  /** What the service itself sends, by the name of the event. */
  webhooks: Record<string, PathItem>;
  components: Record<string, Record<string, unknown>>;
}

export const methods = ['get', 'post', 'put', 'delete'] as const;
