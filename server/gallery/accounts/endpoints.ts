/** How an endpoint of `/api` is declared: who calls it, what it takes, answers and refuses, and what it does. */
import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TSchema, TUnknown } from 'typebox';
import type { ErrorName } from '../../platform/errors/catalogue.ts';
import type { App } from '../../platform/http/app.ts';
import { failures } from '../../platform/http/envelope.ts';
import { type Auth, refusalsOf } from './access.ts';
import type { Viewer } from './viewer.ts';

type Asked<Who, Params extends TSchema, Query extends TSchema, Body extends TSchema> = FastifyRequest<{
  Params: Static<Params>;
  Querystring: Static<Query>;
  Body: Static<Body>;
}> & { viewer: Who extends 'none' | 'optional' ? Viewer | undefined : Viewer };

interface Endpoint<
  Who extends Auth,
  Params extends TSchema,
  Query extends TSchema,
  Body extends TSchema,
  Answer extends TSchema,
> {
  auth: Who;
  /** How clients call the operation. Stays once it is published. */
  operationId: string;
  summary: string;
  description: string;
  params?: Params;
  querystring?: Query;
  body?: Body;
  /** Left out where it is not JSON. */
  answer?: Answer;
  /** Errors beside those of `auth` and of any input. */
  refusals?: ErrorName[];
  config?: Omit<FastifyContextConfig, 'auth'>;
  preValidation?(request: Asked<Who, Params, Query, Body>): Promise<void>;
  onSend?(request: Asked<Who, Params, Query, Body>, reply: FastifyReply): Promise<void>;
  handler(
    request: Asked<Who, Params, Query, Body>,
    reply: FastifyReply,
  ): Promise<Static<Answer> | FastifyReply>;
}

/** Adds endpoints to `app`. `tag`: the chapter of the contract that they stand in. */
export function endpoints(app: App, tag: string) {
  const adding =
    (method: 'GET' | 'POST' | 'PUT' | 'DELETE') =>
    <
      const Who extends Auth,
      Params extends TSchema = TUnknown,
      Query extends TSchema = TUnknown,
      Body extends TSchema = TUnknown,
      Answer extends TSchema = TUnknown,
    >(
      url: string,
      endpoint: Endpoint<Who, Params, Query, Body, Answer>,
    ): void => {
      const { auth, operationId, summary, description, params, querystring, body, answer } = endpoint;
      const { refusals = [], config, handler, preValidation, onSend } = endpoint;
      const inputs = {
        ...(params && { params }),
        ...(querystring && { querystring }),
        ...(body && { body }),
      };
      const takesInput = config?.form !== undefined || Object.keys(inputs).length > 0;
      const names: ErrorName[] = [
        ...(takesInput ? ['invalid' as const] : []),
        ...refusals,
        ...refusalsOf(auth),
      ];
      const response = { ...(answer && { 200: answer }), ...failures(...names) };
      app.route({
        method,
        url,
        config: { ...config, auth },
        schema: { operationId, tags: [tag], summary, description, ...inputs, response },
        ...(preValidation && { preValidation: preValidation as never }),
        ...(onSend && { onSend: onSend as never }),
        handler: handler as never,
      });
    };
  return { get: adding('GET'), post: adding('POST'), put: adding('PUT'), delete: adding('DELETE') };
}
