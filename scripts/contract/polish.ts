/** Brings the drawn document into its final form. */
import { STATUS_CODES } from 'node:http';
import { components } from './components.ts';
import { operationNames, tags } from './names.ts';
import { asPage, type ErrorAnswer, errorAnswers, withLimitHeaders, withOwnHeaders } from './responses.ts';
import { uniteSamePaths } from './same-paths.ts';
import {
  type Contract,
  methods,
  type Operation,
  type Parameter,
  type PathItem,
  type Response,
} from './types.ts';
import { webhooks } from './webhooks.ts';

/** The same document for the same routes: in the order of `names.ts`, keys in one order, our own keywords gone. */
export function polish(drawn: Contract): Contract {
  const shared: SharedResponses = {};
  const paths = Object.entries(uniteSamePaths(drawn.paths))
    .map(([path, item]) => [path, polishItem(path, item, shared)] as const)
    .sort(([, a], [, b]) => placeOf(a) - placeOf(b));
  const { openapi, info, servers } = drawn;
  return withoutOwnKeywords({
    openapi,
    info,
    servers,
    tags,
    paths: Object.fromEntries(paths),
    webhooks,
    components: { ...components, responses: sorted(shared) },
  }) as Contract;
}

const order = Object.values(operationNames);

function placeOf(item: PathItem): number {
  return Math.min(...Object.values(item).map(({ operationId = '' }) => order.indexOf(operationId)));
}

/** Errors below `/api`, which are the same at many operations. */
type SharedResponses = Record<string, Response>;

const sorted = (shared: SharedResponses) => Object.fromEntries(Object.entries(shared).sort());

function polishItem(path: string, item: PathItem, shared: SharedResponses): PathItem {
  const present = methods.filter((method) => item[method]);
  return Object.fromEntries(present.map((method) => [method, polishOperation(path, item[method]!, shared)]));
}

function polishOperation(path: string, operation: Operation, shared: SharedResponses): Operation {
  const { operationId, summary, description, tags: groups, security, parameters, requestBody } = operation;
  const isApi = path.startsWith('/api/');
  const successes = withHeaders(described(operation.responses));
  const isPage = operation['x-refuses-by-page'];
  const errors = errorAnswers(operation['x-errors'] ?? []);
  return {
    ...(operationId && { operationId }),
    ...(summary && { summary }),
    ...(description && { description }),
    ...(groups && { tags: groups }),
    ...(security && { security }),
    ...(parameters && { parameters: parameters.map(polishParameter) }),
    ...(requestBody && { requestBody }),
    responses: isApi
      ? { ...mapped(successes, withLimitHeaders), ...mapped(errors, (error) => shareError(error, shared)) }
      : { ...mapped(errors, ({ response }) => (isPage ? asPage(response) : response)), ...successes },
  };
}

function shareError({ name, response }: ErrorAnswer, shared: SharedResponses): Response {
  shared[name] = withLimitHeaders(response);
  return { $ref: `#/components/responses/${name}` };
}

function mapped<From, To>(record: Record<string, From>, change: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}

/** What has a default may be left out, although the schema behind it always holds a value. */
function polishParameter({ name, in: place, required, description, schema, ...rest }: Parameter): Parameter {
  const isRequired = required === true && schema?.default === undefined;
  return { name, in: place, required: isRequired, ...(description && { description }), schema, ...rest };
}

function withHeaders(responses: Record<string, Response>): Record<string, Response> {
  const entries = Object.entries(responses).map(([status, response]) => [
    status,
    withOwnHeaders(status, response),
  ]);
  return Object.fromEntries(entries);
}

/** An answer whose schema says nothing about itself gets the words of HTTP. */
function described(responses: Record<string, Response>): Record<string, Response> {
  const entries = Object.entries(responses).map(([status, response]) => {
    const isUnsaid = response.description === 'Default Response';
    return [status, isUnsaid ? { ...response, description: STATUS_CODES[status] ?? status } : response];
  });
  return Object.fromEntries(entries);
}

/** Formats that clients know; the others mean something to our validation only, and so does `patternMessage`. */
const knownFormats: unknown[] = ['email', 'date', 'date-time', 'binary'];

function withoutOwnKeywords(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutOwnKeywords);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(
    ([key, inner]) => key !== 'patternMessage' && (key !== 'format' || knownFormats.includes(inner)),
  );
  return Object.fromEntries(entries.map(([key, inner]) => [key, withoutOwnKeywords(inner)]));
}
