/** Brings the generated document into its final form, which is always the same for the same routes. */
import { STATUS_CODES } from 'node:http';
import { components } from './components.ts';
import { withExamples } from './examples.ts';
import { tags } from './introduction.ts';
import { asPage, errorAnswers, withLimitHeaders, withOwnHeaders } from './responses.ts';
import { uniteSamePaths } from './same-paths.ts';
import { createComponents, type Draw } from './schemas.ts';
import { shareParts } from './shared.ts';
import {
  type Contract,
  eachOperation,
  type Media,
  mapped,
  type Operation,
  type Parameter,
  type PathItem,
  type Response,
} from './types.ts';
import { webhooks } from './webhooks.ts';

export function polish({ openapi, info, servers, paths }: Contract): Contract {
  const { draw, finish } = createComponents();
  const polished = mapped(inOrder(uniteSamePaths(paths)), (item, path) =>
    eachOperation(item, (operation) => polishOperation(path, operation, draw)),
  );
  const sent = mapped(webhooks, (item) =>
    eachOperation(item, (operation) => ({
      ...operation,
      requestBody: drawnContent(operation.requestBody!, draw),
    })),
  );
  const schemas = { ...components.schemas, ...finish() };
  const whole = {
    openapi,
    info,
    servers,
    tags,
    paths: polished,
    webhooks: sent,
    components: { ...components, schemas },
  };
  return shareParts(withExamples(whole));
}

/** Sorts paths by tag, and within a tag by the order of registration. */
function inOrder(paths: Record<string, PathItem>): Record<string, PathItem> {
  const names = tags.map(({ name }) => name);
  const findTagPosition = (item: PathItem) =>
    Math.min(...Object.values(item).map((operation) => names.indexOf(operation.tags?.[0] ?? '')));
  return Object.fromEntries(
    Object.entries(paths).sort(([, a], [, b]) => findTagPosition(a) - findTagPosition(b)),
  );
}

function polishOperation(path: string, operation: Operation, draw: Draw): Operation {
  const { operationId, summary, description, tags: groups, security, parameters, requestBody } = operation;
  const isApi = path.startsWith('/api/');
  const dependsOnToken = isApi && security !== undefined && security.length > 0;
  const limited = (response: Response) => (isApi ? withLimitHeaders(response) : response);
  const paged = (response: Response) => (operation['x-refuses-by-page'] ? asPage(response) : response);
  const errors = mapped(errorAnswers(operation['x-errors'] ?? []), (error) => limited(paged(error)));
  const own = mapped(operation.responses, (response, status) =>
    limited(withOwnHeaders(status, drawnContent(described(response, status), draw), dependsOnToken)),
  );
  return {
    // The plugin adds `-head` to the operation of a route that only supports HEAD.
    ...(operationId && { operationId: operationId.replace(/-head$/, '') }),
    ...(summary && { summary }),
    ...(description && { description }),
    ...(groups && { tags: groups }),
    ...(security && { security }),
    ...(parameters && { parameters: parameters.map((parameter) => polishParameter(parameter, draw)) }),
    ...(requestBody && {
      requestBody: { ...drawnContent(requestBody, draw), required: !operation['x-optional-body'] },
    }),
    responses: { ...errors, ...own },
  };
}

/** A parameter with a default is optional, although its schema lists the parameter as required. */
function polishParameter(
  { name, in: place, required, description, schema = {}, ...rest }: Parameter,
  draw: Draw,
): Parameter {
  const isRequired = required === true && schema.default === undefined;
  return {
    name,
    in: place,
    required: isRequired,
    ...(description && { description }),
    schema: draw(schema),
    ...rest,
  };
}

function drawnContent<Part extends { content?: Record<string, Media> }>(part: Part, draw: Draw): Part {
  if (!part.content) return part;
  const content = mapped(part.content, ({ schema, ...media }) => ({
    ...(schema && { schema: draw(schema) }),
    ...media,
  }));
  return { ...part, content };
}

/** A response without a description gets the text of its HTTP status. */
function described(response: Response, status: string): Response {
  if (response.description !== 'Default Response') return response;
  return { ...response, description: STATUS_CODES[status] ?? status };
}
