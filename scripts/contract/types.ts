/** Types for the used parts of an OpenAPI 3.1 document. https://spec.openapis.org/oas/v3.1.1 */
import type { ErrorName } from '../../server/platform/errors/catalogue.ts';

export type Schema = Record<string, unknown>;

export interface Media {
  schema?: Schema;
  example?: unknown;
  examples?: Record<string, { summary?: string; value: unknown }>;
}

export interface Response {
  /** A reference to an entry of `components.responses`, instead of all other fields. */
  $ref?: string;
  description?: string;
  headers?: Record<string, unknown>;
  content?: Record<string, Media>;
}

export interface Parameter {
  $ref?: string;
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
  /** Data from the routes for `build.ts`, removed from the finished document. */
  'x-errors'?: ErrorName[];
  'x-refuses-by-page'?: boolean;
  'x-optional-body'?: boolean;
}

export type PathItem = Record<string, Operation>;

export interface Contract {
  openapi: string;
  info: Record<string, unknown>;
  servers: { url: string; description?: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, PathItem>;
  /** Requests that Lightwell sends, by event name. */
  webhooks: Record<string, PathItem>;
  components: Record<string, Record<string, unknown>>;
}

const methods = ['get', 'head', 'post', 'put', 'patch', 'delete'] as const;

/** Returns a path item with each operation changed, in a fixed order. HEAD is included only without GET. */
export function eachOperation(item: PathItem, change: (operation: Operation) => Operation): PathItem {
  const present = methods.filter((method) => item[method] && !(method === 'head' && item.get));
  return Object.fromEntries(present.map((method) => [method, change(item[method]!)]));
}

export function mapped<From, To>(
  record: Record<string, From>,
  change: (value: From, key: string) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]));
}
