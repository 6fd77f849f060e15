/** The answers of an operation: what its route declares, and what the plumbing adds to every route. */

import type { Auth } from '../../server/http/access.ts';
import { catalogue, type ErrorName } from '../../server/http/errors.ts';
import type { Response, Schema } from './types.ts';

export interface RouteTraits {
  isApi: boolean;
  auth: Auth;
  /** Has a path id, a query, a body or a form that is validated. */
  takesInput: boolean;
  takesJson: boolean;
}

type Declared = Record<string, Schema>;

const nameByCode = new Map<number, ErrorName>(
  Object.entries(catalogue).map(([name, { code }]) => [code, name as ErrorName]),
);

/** The errors that a response schema made by `failures` stands for; none for any other schema. */
function errorNamesOf({ examples }: Schema): ErrorName[] {
  const codes = Array.isArray(examples)
    ? examples.map((example) => (example as { code?: number })?.code ?? 0)
    : [];
  return codes.flatMap((code) => nameByCode.get(code) ?? []);
}

/** What a route declares that is no error of the catalogue. */
export function ownResponses(declared: Declared): Declared {
  return Object.fromEntries(
    Object.entries(declared).filter(([, schema]) => errorNamesOf(schema).length === 0),
  );
}

/** The errors that a route declares, and those that may come before its handler runs; by status, then code. */
export function errorsOf(
  declared: Declared,
  { isApi, auth, takesInput, takesJson }: RouteTraits,
): ErrorName[] {
  const names = new Set(Object.values(declared).flatMap(errorNamesOf));
  if (isApi) {
    if (takesInput) names.add('invalid');
    if (auth !== 'none' && auth !== 'optional') names.add('unauthenticated').add('forbidden');
    if (auth !== 'none') names.add('badToken');
    if (takesJson) names.add('bodyTooLarge').add('wrongContentType');
    names.add('tooManyRequests').add('internal').add('busy');
  } else {
    // `failures` names it for every route, but only calls below /api are counted.
    names.delete('tooManyRequests');
  }
  const order = (name: ErrorName) => catalogue[name].status * 100_000 + catalogue[name].code;
  return [...names].sort((a, b) => order(a) - order(b));
}

/** Successes that are not JSON; images are also sent in ranges, and not at all where the client has them. */
export function fileResponses(mediaTypes: string[] = []): Record<string, unknown> {
  if (mediaTypes.length === 0) return {};
  const content = Object.fromEntries(mediaTypes.map((type) => [type, { schema: fileSchema(type) }]));
  const whole = { 200: { description: 'Success', content } };
  if (!mediaTypes[0]!.startsWith('image/')) return whole;
  return {
    ...whole,
    206: { description: 'The range that was asked for', content },
    304: { description: 'Not changed since the ETag that was sent', type: 'null' },
  };
}

function fileSchema(mediaType: string): Schema {
  if (mediaType.startsWith('image/') || mediaType === 'application/zip')
    return { type: 'string', format: 'binary' };
  return { type: mediaType === 'application/json' ? 'object' : 'string' };
}

export interface ErrorAnswer {
  /** Of the codes in it, such as `UnauthenticatedOrBadToken`. */
  name: string;
  response: Response;
}

/** Errors by status, every code with its example. */
export function errorAnswers(names: ErrorName[]): Record<string, ErrorAnswer> {
  const byStatus = Object.groupBy(names, (name) => catalogue[name].status);
  const entries = Object.entries(byStatus).map(([status, same]) => [status, errorAnswer(status, same!)]);
  return Object.fromEntries(entries);
}

function errorAnswer(status: string, names: ErrorName[]): ErrorAnswer {
  return {
    name: names.map((name) => name[0]!.toUpperCase() + name.slice(1)).join('Or'),
    response: {
      description: names.map((name) => `${catalogue[name].code}: ${catalogue[name].message}`).join('. '),
      ...(['429', '503'].includes(status) && { headers: headerRefs(['Retry-After']) }),
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/Error' },
          examples: Object.fromEntries(names.map((name) => [name, example(name)])),
        },
      },
    },
  };
}

function example(name: ErrorName) {
  const { code, message } = catalogue[name];
  const errors = name === 'invalid' ? { errors: { field: ['is required'] } } : {};
  return { summary: message, value: { code, message, ...errors } };
}

/** The three headers of the limit, which every answer below `/api` carries. */
export function withLimitHeaders({ description, headers, ...rest }: Response): Response {
  const limit = headerRefs(['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']);
  return { description, headers: { ...limit, ...headers }, ...rest };
}

function headerRefs(names: string[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
