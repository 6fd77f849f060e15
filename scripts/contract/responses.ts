/** The responses of an operation: those of its route, and those that the server adds to every route. */

import type { FastifyContextConfig as ContextConfig } from 'fastify';
import type { RouteAuth } from '../../server/gallery/identity/guard.ts';
import { addFinalPeriod, type ErrorName, errorCatalogue } from '../../server/platform/errors/catalogue.ts';
import { referenceTo } from './schemas.ts';
import type { Response, Schema } from './types.ts';

export interface RouteTraits {
  isApi: boolean;
  auth: RouteAuth;
  /**
   * True if requests can have a body. The body parser refuses invalid bodies even if the route needs none.
   */
  takesBody: boolean;
  /** True if the route sends images, which also support range requests. */
  sendsImages: boolean;
}

type Declared = Record<string, Schema>;

const nameByCode = new Map<number, ErrorName>(
  Object.entries(errorCatalogue).map(([name, { code }]) => [code, name as ErrorName]),
);

/** Returns the catalogue's errors in a response schema made by `errorResponseSchemas`, and none for any other schema. */
function listErrorNames({ examples }: Schema): ErrorName[] {
  const codes = Array.isArray(examples)
    ? examples.map((example) => (example as { code?: number })?.code ?? 0)
    : [];
  return codes.flatMap((code) => nameByCode.get(code) ?? []);
}

/** Returns the declared responses that are not errors of the catalogue. */
export function ownResponses(declared: Declared): Declared {
  return Object.fromEntries(
    Object.entries(declared).filter(([, schema]) => listErrorNames(schema).length === 0),
  );
}

/** Returns the errors that a route declares or that may occur before its handler, by status and code. */
export function listErrors(
  declared: Declared,
  { isApi, auth, takesBody, sendsImages }: RouteTraits,
): ErrorName[] {
  const names = new Set(Object.values(declared).flatMap(listErrorNames));
  names.add('requestTimeout').add('expectationFailed').add('tooManyRequests').add('headersTooLarge');
  names.add('internal').add('busy');
  if (isApi) {
    names.add('invalid');
    if (auth !== 'none' && auth !== 'optional') names.add('unauthenticated').add('forbidden');
    // A page of another origin can make the browser send a cookie; such requests are refused.
    if (auth === 'optional' && takesBody) names.add('forbidden');
    if (auth !== 'none') names.add('badToken');
  }
  if (takesBody) names.add('invalid').add('bodyTooLarge').add('wrongContentType').add('noSpace');
  if (sendsImages) names.add('rangeNotSatisfiable');
  const order = (name: ErrorName) => errorCatalogue[name].status * 100_000 + errorCatalogue[name].code;
  return [...names].sort((a, b) => order(a) - order(b));
}

/** Returns the image types, for which range requests work too. */
function filterImageTypes(types: string[] = []): string[] {
  return types.filter((type) => type.startsWith('image/'));
}

export function haveImages(types?: string[]): boolean {
  return filterImageTypes(types).length > 0;
}

/** Returns success responses that are not JSON. With an ETag, a client with the current version gets 304. */
export function fileResponses({ produces = [], hasEtag }: ContextConfig): Record<string, unknown> {
  if (produces.length === 0) return {};
  const createContent = (types: string[]) =>
    Object.fromEntries(types.map((type) => [type, { schema: fileSchema(type) }]));
  const images = filterImageTypes(produces);
  return {
    200: { description: 'Success', content: createContent(produces) },
    ...(images.length > 0 && { 206: { description: 'The requested range', content: createContent(images) } }),
    ...((images.length > 0 || hasEtag) && {
      304: { description: 'Not changed since the given ETag', type: 'null' },
    }),
  };
}

const texts: Record<string, string> = {
  'text/html': '<!doctype html>…',
  'text/plain': '# TYPE lightwell_imaging_running gauge\nlightwell_imaging_running 0',
};

function fileSchema(mediaType: string): Schema {
  if (mediaType === 'application/json') return { type: 'object' };
  const text = texts[mediaType];
  return text ? { type: 'string', examples: [text] } : { type: 'string', format: 'binary' };
}

/** Groups errors by status, with an example for each code. */
export function errorAnswers(names: ErrorName[]): Record<string, Response> {
  const byStatus = Object.groupBy(names, (name) => errorCatalogue[name].status);
  const entries = Object.entries(byStatus).map(([status, same]) => [status, errorAnswer(status, same!)]);
  return Object.fromEntries(entries);
}

/** Names of additional headers of error responses, by status. */
const errorHeaders: Record<string, string[]> = {
  423: ['Retry-After'],
  401: ['WWW-Authenticate'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

function errorAnswer(status: string, names: ErrorName[]): Response {
  const isValidation = names.length === 1 && names[0] === 'invalid';
  return {
    description: names
      .map((name) => `${errorCatalogue[name].code}: ${addFinalPeriod(errorCatalogue[name].message)}`)
      .join(' '),
    ...(errorHeaders[status] && { headers: headerRefs(errorHeaders[status]) }),
    content: {
      'application/json': {
        schema: { $ref: referenceTo(isValidation ? 'ValidationError' : 'ApiError') },
        examples: Object.fromEntries(names.map((name) => [name, example(name)])),
      },
    },
  };
}

function example(name: ErrorName) {
  const { code, message } = errorCatalogue[name];
  const errors = name === 'invalid' ? { errors: { field: ['Is required'] } } : {};
  return { summary: message, value: { code, message, ...errors } };
}

/** Adds an HTML variant to an error, because a person may see the error as a page. */
export function asPage({ content, ...rest }: Response): Response {
  return { ...rest, content: { ...content, 'text/html': { schema: fileSchema('text/html') } } };
}

/** Adds headers to a success response: location, caching, file name. */
export function withOwnHeaders(status: string, response: Response, dependsOnToken: boolean): Response {
  const types = Object.keys(response.content ?? {});
  const isFile = types.some((type) => type === 'application/zip');
  const names = [
    ...(['201', '302', '303'].includes(status) ? ['Location'] : []),
    // Only tus uploads send these headers with 201 and 204.
    ...(['201', '204'].includes(status) ? ['Tus-Resumable', 'Upload-Offset', 'Upload-Expires'] : []),
    ...(status === '200' && types.length === 0
      ? ['Tus-Resumable', 'Upload-Offset', 'Upload-Length', 'Upload-Metadata']
      : []),
    ...(haveImages(types) || status === '304' ? ['ETag', 'Cache-Control'] : []),
    ...(dependsOnToken ? ['Cache-Control', 'Vary'] : []),
    ...(status === '206' ? ['Content-Range'] : []),
    ...(isFile ? ['Content-Disposition', 'Cache-Control'] : []),
  ];
  return names.length === 0
    ? response
    : { ...response, headers: { ...headerRefs(names), ...response.headers } };
}

/** Adds the rate limit headers, which all responses below `/api` carry if a limit is set. */
export function withLimitHeaders({ description, headers, ...rest }: Response): Response {
  const limit = headerRefs(['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']);
  return { description, headers: { ...limit, ...headers }, ...rest };
}

function headerRefs(names: string[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
