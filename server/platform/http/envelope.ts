/** Envelope around every JSON response: schemas for routes, and functions that build it for handlers. */
import type { TProperties, TSchema } from 'typebox';
import { addFinalPeriod, type ErrorName, errorCatalogue } from '../errors/catalogue.ts';
import { Type } from '../schema/type.ts';

const code = Type.Unsafe<0>({ type: 'integer', const: 0 });
const message = Type.String({ description: 'Text for people, in English', examples: ['Done'] });

/** Returns the schema of a read's response, `{code: 0, data}`. The title of a `Photo` becomes `PhotoAnswer`. */
export function dataResponseSchema<Data extends TSchema>(data: Data) {
  return Type.Object({ code, data }, { description: 'Success', ...createAnswerTitle(data, 'Answer') });
}

/**
 * Returns the schema of a write's response, `{code: 0, message, data}`. The title of a `Photo` becomes `PhotoResult`.
 */
export function writeResponseSchema<Data extends TSchema>(data: Data) {
  return Type.Object(
    { code, message, data },
    { description: 'Success', ...createAnswerTitle(data, 'Result') },
  );
}

export const messageResponseSchema = Type.Object(
  { code, message },
  { description: 'Success', title: 'Done' },
);

export const Pagination = Type.Object(
  {
    page: Type.Integer(),
    limit: Type.Integer({ description: 'Items per page of this response, at most 100' }),
    total: Type.Integer({ description: 'Exact number of items that the caller can see' }),
    pages: Type.Integer(),
  },
  { title: 'Pagination', examples: [{ page: 1, limit: 20, total: 41, pages: 3 }] },
);

/** Returns the schema of a page of a list. The title of a `Photo` becomes `PhotoPage`. */
export function listPageSchema<Item extends TSchema, More extends TProperties = Record<never, never>>(
  item: Item,
  more = {} as More,
) {
  return Type.Object(
    { list: Type.Array(item), pagination: Pagination, ...more },
    createAnswerTitle(item, 'Page'),
  );
}

function createAnswerTitle(of: TSchema, kind: string): { title?: string } {
  const { title } = of as { title?: string };
  return title === undefined ? {} : { title: `${title}${kind}` };
}

export function dataResponse<Data>(data: Data): { code: 0; data: Data } {
  return { code: 0, data };
}

export function messageResponse(message: string): { code: 0; message: string } {
  return { code: 0, message };
}

export function resultResponse<Data>(message: string, data: Data): { code: 0; message: string; data: Data } {
  return { code: 0, message, data };
}

const fieldErrors = Type.Record(Type.String(), Type.Array(Type.String()), {
  description: 'Only in validation failures: messages for each invalid field',
});

function errorBody(names: ErrorName[]) {
  const codes = names.map((name) => errorCatalogue[name].code);
  return Type.Object(
    {
      code: Type.Integer({ description: `One of ${[...new Set(codes)].join(', ')}` }),
      message: Type.String(),
      errors: Type.Optional(fieldErrors),
    },
    {
      description: names
        .map((name) => `${errorCatalogue[name].code}: ${addFinalPeriod(errorCatalogue[name].message)}`)
        .join(' '),
      examples: names.map((name) => ({
        code: errorCatalogue[name].code,
        message: errorCatalogue[name].message,
      })),
    },
  );
}

/**
 * Returns schemas of a route's error responses by HTTP status. Errors that any route may return are added to the
 * OpenAPI document elsewhere.
 */
export function errorResponseSchemas(...names: ErrorName[]) {
  const byStatus: Record<number, ErrorName[]> = {};
  for (const name of names) {
    const { status } = errorCatalogue[name];
    byStatus[status] ??= [];
    if (!byStatus[status].includes(name)) byStatus[status].push(name);
  }
  return Object.fromEntries(Object.entries(byStatus).map(([status, same]) => [status, errorBody(same)]));
}
