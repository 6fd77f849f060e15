/** Declares the routes of `/api`: who can call a route, its input, its response, its errors and its handler. */
import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TSchema, TUnknown } from 'typebox';
import type { ErrorName } from '../../platform/errors/catalogue.ts';
import type { App } from '../../platform/http/app.ts';
import {
  dataResponse,
  dataResponseSchema,
  errorResponseSchemas,
  messageResponseSchema,
  writeResponseSchema,
} from '../../platform/http/envelope.ts';
import { type RouteAuth, refusalsOf } from './guard.ts';
import type { Viewer } from './viewer.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH' | 'HEAD';

type TypedRequest<Who, Params extends TSchema, Query extends TSchema, Body extends TSchema> = FastifyRequest<{
  Params: Static<Params>;
  Querystring: Static<Query>;
  Body: Static<Body>;
}> & { viewer: Who extends 'none' | 'optional' ? Viewer | undefined : Viewer };

/**
 * Return type of a handler: the data of a read, `messageResponse` or `resultResponse` of a write. A handler that sends the
 * response itself returns the reply.
 */
type HandlerResult<How extends Method, Data> = How extends 'GET'
  ? Data
  : { code: 0; message: string } & (unknown extends Data ? { data?: Data } : { data: Data });

interface Endpoint<
  How extends Method,
  Who extends RouteAuth,
  Params extends TSchema,
  Query extends TSchema,
  Body extends TSchema,
  Answer extends TSchema,
> {
  auth: Who;
  /** Name of the API operation, which generated clients use. The name must not change after a release. */
  operationId: string;
  summary: string;
  description: string;
  params?: Params;
  querystring?: Query;
  body?: Body;
  /** Schema of request headers, for the OpenAPI document only. The code that reads a header validates it. */
  headers?: TSchema;
  /**
   * Schema of a route's response data. Without a schema, the response is only a message or has the types in
   * `config.produces`.
   */
  answer?: Answer;
  /** Schema of the whole response, in place of the usual envelope around the data. */
  envelope?: TSchema;
  /** Schemas of responses with a status other than 200, by status. */
  successes?: Record<number, TSchema>;
  /** Errors of a route in addition to those of its `auth` and of input validation. */
  refusals?: ErrorName[];
  config?: Omit<FastifyContextConfig, 'auth'>;
  preValidation?(request: TypedRequest<Who, Params, Query, Body>): Promise<void>;
  onSend?(request: TypedRequest<Who, Params, Query, Body>, reply: FastifyReply): Promise<void>;
  handler(
    request: TypedRequest<Who, Params, Query, Body>,
    reply: FastifyReply,
  ): Promise<HandlerResult<How, Static<Answer>> | FastifyReply>;
}

/** Returns functions that add routes to `app`. `tag` is the section of the OpenAPI document. */
export function createEndpointMethods(app: App, tag: string) {
  const adding =
    <How extends Method>(method: How) =>
    <
      const Who extends RouteAuth,
      Params extends TSchema = TUnknown,
      Query extends TSchema = TUnknown,
      Body extends TSchema = TUnknown,
      Answer extends TSchema = TUnknown,
    >(
      url: string,
      endpoint: Endpoint<How, Who, Params, Query, Body, Answer>,
    ): void => {
      const { auth, operationId, summary, description, config, preValidation, onSend } = endpoint;
      const { params, querystring, body, headers, handler } = endpoint;
      const inputs = {
        ...(params && { params }),
        ...(querystring && { querystring }),
        ...(body && { body }),
        ...(headers && { headers }),
      };
      const success = successSchema(method, endpoint);
      const response = {
        ...(success && { 200: success }),
        ...endpoint.successes,
        ...failureSchemas(endpoint),
      };
      const isRead = method === 'GET' && success !== undefined;
      app.route({
        method,
        url,
        config: { ...config, auth },
        schema: { operationId, tags: [tag], summary, description, ...inputs, response },
        ...(preValidation && { preValidation: preValidation as never }),
        ...(onSend && { onSend: onSend as never }),
        handler: (isRead ? inEnvelope(handler as never) : handler) as never,
      });
    };
  return {
    get: adding('GET'),
    post: adding('POST'),
    put: adding('PUT'),
    delete: adding('DELETE'),
    patch: adding('PATCH'),
    head: adding('HEAD'),
  };
}

function inEnvelope(read: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>) {
  return async (request: FastifyRequest, reply: FastifyReply) => dataResponse(await read(request, reply));
}

type DeclaredEndpoint = Pick<
  Endpoint<Method, RouteAuth, TSchema, TSchema, TSchema, TSchema>,
  'auth' | 'params' | 'querystring' | 'body' | 'answer' | 'envelope' | 'successes' | 'refusals' | 'config'
>;

function successSchema(
  method: Method,
  { answer, envelope, successes, config }: DeclaredEndpoint,
): TSchema | undefined {
  if (envelope) return envelope;
  if (successes) return undefined;
  if (answer) return method === 'GET' ? dataResponseSchema(answer) : writeResponseSchema(answer);
  return config?.produces ? undefined : messageResponseSchema;
}

function failureSchemas({ auth, params, querystring, body, refusals = [], config }: DeclaredEndpoint) {
  const takesInput = params ?? querystring ?? body ?? config?.form;
  const names: ErrorName[] = takesInput ? ['invalid'] : [];
  return errorResponseSchemas(...names, ...refusals, ...refusalsOf(auth, config?.openToVisitors));
}
