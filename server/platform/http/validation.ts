/**
 * Checks path, query and body of a request against its route's schemas before the handler runs. One response names all
 * errors, and only values named in the schemas reach the handler.
 */
import type { ValidateFunction } from 'ajv';
import type { FastifyInstance, FastifyRequest, HookHandlerDoneFunction, RouteOptions } from 'fastify';
import type { Static, TSchema } from 'typebox';
import { type FieldErrors, invalidFieldsError } from '../errors/catalogue.ts';
import { ajv, type RuleContext } from './ajv.ts';
import { addFieldErrors } from './field-errors.ts';
import {
  type InputSchema,
  type PrepareInputValue,
  prepareJsonBody,
  preparePathParameters,
  prepareTextParameters,
} from './prepare-input.ts';

/** Checks the input of every route that is added to `app` after this call. */
export function checkInputs(app: FastifyInstance, context: RuleContext): void {
  // Fastify's own validation would stop at the first wrong part.
  app.setValidatorCompiler(() => () => true);
  app.addHook('onRoute', (route) => {
    const check = createRequestCheck(route, context);
    route.preHandler = [check, route.preHandler ?? []].flat();
  });
}

function createRequestCheck({ schema = {}, config }: RouteOptions, context: RuleContext) {
  const parts = [
    createPart('params', schema.params as InputSchema, preparePathParameters),
    createPart('query', schema.querystring as InputSchema, prepareTextParameters),
    createPart('body', schema.body as InputSchema, (body) =>
      prepareJsonBody(body, config?.hasOptionalBody === true),
    ),
  ];
  return (request: FastifyRequest, _reply: unknown, done: HookHandlerDoneFunction) => {
    const fields: FieldErrors = {};
    for (const check of parts) check(request, fields, context);
    done(isEmpty(fields) ? undefined : invalidFieldsError(fields));
  };
}

type PartName = 'params' | 'query' | 'body';

function createPart(
  name: PartName,
  schema: InputSchema | undefined,
  preparer: (schema: InputSchema) => PrepareInputValue,
) {
  if (!schema) {
    return (request: FastifyRequest) => {
      request[name] = name === 'body' ? undefined : {};
    };
  }
  const check = createChecker(schema, name, preparer(schema));
  return (request: FastifyRequest, fields: FieldErrors, context: RuleContext) => {
    request[name] = check(request[name], fields, context);
  };
}

/**
 * Returns a function that checks a value and returns it. Errors are added to `fields`, under `part` if an error belongs
 * to no field.
 */
function createChecker(schema: object, part: string, prepare: PrepareInputValue) {
  let validate: ValidateFunction | undefined;
  return (given: unknown, fields: FieldErrors, context = outsideRequests): unknown => {
    const value = prepare(given, fields);
    // Schemas are compiled at their first use. Compiling all schemas would cost more time and memory than the rest of
    // the start.
    validate ??= ajv.compile(schema);
    if (!validate.call(context as never, value)) addFieldErrors(fields, validate.errors!, part);
    return value;
  };
}

const outsideRequests: RuleContext = {
  clock: () => Math.floor(Date.now() / 1000),
  allowPrivateTargets: false,
};

/**
 * Checks values outside requests, such as a file or a command's argument, or the text fields of a form. `fields` may
 * already contain errors of the form. Throws `invalid`, which names every wrong field.
 */
export type FormCheck<Fields> = (given: object, fields?: FieldErrors) => Fields;

export function createSchemaCheck<Schema extends TSchema>(
  schema: Schema,
  part = 'file',
  prepare: PrepareInputValue = (value) => value,
): FormCheck<Static<Schema>> {
  const check = createChecker(schema, part, prepare);
  return (given, fields = {}) => {
    const value = check({ ...given }, fields);
    if (!isEmpty(fields)) throw invalidFieldsError(fields);
    return value as Static<Schema>;
  };
}

export function createFormCheck<Schema extends TSchema>(schema: Schema): FormCheck<Static<Schema>> {
  return createSchemaCheck(schema, 'form', prepareTextParameters(schema as InputSchema));
}

function isEmpty(fields: FieldErrors): boolean {
  for (const _ in fields) return false;
  return true;
}
