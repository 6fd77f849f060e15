/** The answers of an operation: what its route declares, and what the plumbing adds to every route. */

import type { FastifyContextConfig as ContextConfig } from 'fastify';
import type { Auth } from '../../server/gallery/identity/guard.ts';
import { catalogue, type ErrorName } from '../../server/platform/errors/catalogue.ts';
import { referenceTo } from './schemas.ts';
import type { Response, Schema } from './types.ts';

export interface RouteTraits {
  isApi: boolean;
  auth: Auth;
  /** May have a body: the parser of bodies refuses what it cannot take, whether the route wants one or not. */
  takesBody: boolean;
  /** Sends images, also in ranges. */
  sendsImages: boolean;
}

type Declared = Record<string, Schema>;

const nameByCode = new Map<number, ErrorName>(
  Object.entries(catalogue).map(([name, { code }]) => [code, name as ErrorName]),
);

/** The errors that a response schema made by `failures` stands for; none for any other schema. */
function listErrorNames({ examples }: Schema): ErrorName[] {
  const codes = Array.isArray(examples)
    ? examples.map((example) => (example as { code?: number })?.code ?? 0)
    : [];
  return codes.flatMap((code) => nameByCode.get(code) ?? []);
}

/** What a route declares that is no error of the catalogue. */
export function ownResponses(declared: Declared): Declared {
  return Object.fromEntries(
    Object.entries(declared).filter(([, schema]) => listErrorNames(schema).length === 0),
  );
}

/** The errors that a route declares, and those that may come before its handler runs; by status, then code. */
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
    // A cookie that a page of another origin makes the browser send.
    if (auth === 'optional' && takesBody) names.add('forbidden');
    if (auth !== 'none') names.add('badToken');
  }
  if (takesBody) names.add('invalid').add('bodyTooLarge').add('wrongContentType').add('noSpace');
  if (sendsImages) names.add('rangeNotSatisfiable');
  const order = (name: ErrorName) => catalogue[name].status * 100_000 + catalogue[name].code;
  return [...names].sort((a, b) => order(a) - order(b));
}

/** Of media types those of pictures, which are also sent in ranges. */
function filterImageTypes(types: string[] = []): string[] {
  return types.filter((type) => type.startsWith('image/'));
}

export function haveImages(types?: string[]): boolean {
  return filterImageTypes(types).length > 0;
}

/** Successes that are not JSON; what has an ETag is not sent to a client that has it. */
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

/** Errors by status, every code with its example. */
export function errorAnswers(names: ErrorName[]): Record<string, Response> {
  const byStatus = Object.groupBy(names, (name) => catalogue[name].status);
  const entries = Object.entries(byStatus).map(([status, same]) => [status, errorAnswer(status, same!)]);
  return Object.fromEntries(entries);
}

/** What tells a client more of a refusal, by its status. */
const errorHeaders: Record<string, string[]> = {
  423: ['Retry-After'],
  401: ['WWW-Authenticate'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

function errorAnswer(status: string, names: ErrorName[]): Response {
  const isValidation = names.length === 1 && names[0] === 'invalid';
  return {
    description: names.map((name) => `${catalogue[name].code}: ${catalogue[name].message}`).join('. '),
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
  const { code, message } = catalogue[name];
  const errors = name === 'invalid' ? { errors: { field: ['is required'] } } : {};
  return { summary: message, value: { code, message, ...errors } };
}

/** The same refusal where a person reads it: a page, or the envelope where the request itself was wrong. */
export function asPage({ content, ...rest }: Response): Response {
  return { ...rest, content: { ...content, 'text/html': { schema: fileSchema('text/html') } } };
}

/** The headers of what is no refusal: where it is, how long it may be kept, what its name is. */
export function withOwnHeaders(status: string, response: Response, dependsOnToken: boolean): Response {
  const types = Object.keys(response.content ?? {});
  const isFile = types.some((type) => type === 'application/zip');
  const names = [
    ...(['201', '302', '303'].includes(status) ? ['Location'] : []),
    // Uploads alone answer so, as tus has it.
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

/** The headers of the limit, which every answer below `/api` carries where there is one. */
export function withLimitHeaders({ description, headers, ...rest }: Response): Response {
  const limit = headerRefs(['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']);
  return { description, headers: { ...limit, ...headers }, ...rest };
}

function headerRefs(names: string[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
