/** The one place that writes error bodies. What is unknown is logged with its request id and answered plainly. */
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { DatabaseFull, DatabaseUnavailable, QueryTooSlow } from '../db/dialect.ts';
import { ApiError, catalogue, errors } from '../errors/catalogue.ts';
import { StorageFull, StorageUnavailable, toSystemError } from '../errors/storage.ts';
import { AbandonedError, EditError, ImageError, QueueFullError } from '../imaging/errors.ts';

/** Seconds that a client is asked to wait when the database is out of reach. */
const databaseRetryAfter = 2;

export function handleError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendError(reply, loggedError(error, request));
}

/** Logs the error for the operator, and returns the one that the client gets. */
export function loggedError(error: unknown, request: FastifyRequest): ApiError {
  const known = toApiError(error);
  if (known.status >= 500 && known.status !== 503) request.log.error({ err: error }, 'request failed');
  else if (known.status === 503) request.log.warn({ err: error }, 'request refused for now');
  // What a decoder said of a picture is told to nobody else.
  else if (known.cause) request.log.debug({ err: known }, 'request refused');
  return known;
}

/** What was said of a file that is not sent after all. */
const headersOfFile = ['accept-ranges', 'content-disposition', 'content-encoding', 'etag', 'last-modified'];

function sendError(reply: FastifyReply, error: ApiError): FastifyReply {
  for (const name of headersOfFile) takeBack(reply, name);
  // With 416 it says how long the file is.
  if (error.status !== 416) takeBack(reply, 'content-range');
  if (error.retryAfter !== undefined) reply.header('Retry-After', String(error.retryAfter));
  if (error.status === 401) reply.header('WWW-Authenticate', challengeOf(error));
  reply.header('Cache-Control', 'no-store').header('X-Content-Type-Options', 'nosniff');
  const { code, message, fields, data } = error;
  const body = { code, message, ...(data && { data }), ...(fields && { errors: fields }) };
  // Serialized here: error bodies are the same whatever the route's own response schemas say.
  return reply
    .code(error.status)
    .header('Content-Type', 'application/json; charset=utf-8')
    .serializer((payload: unknown) => payload as string)
    .send(JSON.stringify(body));
}

/** Fastify hands the headers of a stream to Node before its first bytes, and has its own as well. */
function takeBack(reply: FastifyReply, name: string): void {
  reply.removeHeader(name);
  if (!reply.raw.headersSent) reply.raw.removeHeader(name);
}

/** How to log in, as RFC 9110 wants it with every 401; whether a token was presented and bad, as RFC 6750 does. */
function challengeOf({ code }: ApiError): string {
  const isBadToken = code === catalogue.badToken.code;
  return `Bearer realm="Lightwell"${isBadToken ? ', error="invalid_token"' : ''}`;
}

/** The error that the client gets, for any error. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof ImageError) {
    const entry = error.reason === 'format' ? errors.unsupportedFormat : errors.fileTooLarge;
    return entry({ message: error.message, cause: error });
  }
  if (error instanceof EditError) return errors.invalid({ fields: error.errors });
  // The client is gone; only the log sees this answer.
  if (error instanceof AbandonedError) return errors.invalid({ message: error.message });
  if (error instanceof QueueFullError) {
    const { message, retryAfter, isOwn } = error;
    return isOwn ? errors.tooManyRequests({ message, retryAfter }) : errors.busy({ retryAfter });
  }
  if (error instanceof DatabaseUnavailable)
    return errors.busy({ retryAfter: databaseRetryAfter, cause: error });
  if (error instanceof QueryTooSlow)
    return errors.busy({ message: 'The query takes too long: ask for less at once', cause: error });
  const known = toSystemError(error);
  if (known instanceof StorageUnavailable) return errors.busy({ retryAfter: known.retryAfter, cause: known });
  if (known instanceof StorageFull || known instanceof DatabaseFull) return errors.noSpace({ cause: known });
  return fromFramework(error as FastifyError);
}

/** Fastify's own errors: https://fastify.dev/docs/latest/Reference/Errors/ */
function fromFramework(error: FastifyError): ApiError {
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return errors.bodyTooLarge();
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
    case 'FST_INVALID_MULTIPART_CONTENT_TYPE':
      return errors.wrongContentType();
    case 'FST_REQ_FILE_TOO_LARGE':
      return errors.fileTooLarge();
    case 'FST_PARTS_LIMIT':
    case 'FST_FILES_LIMIT':
    case 'FST_FIELDS_LIMIT':
      return errors.bodyTooLarge({ message: 'Too many fields or files' });
    case 'FST_PROTO_VIOLATION':
      return errors.invalid({ message: 'A field of the form has a name that no field may have' });
    case 'FST_ERR_BAD_URL':
      return errors.invalid({ message: 'The path is not valid UTF-8, percent-encoded' });
  }
  // No id and no object's name is as long as the router's bound.
  if (error.statusCode === 404 || error.code === 'FST_ERR_MAX_PARAM_LENGTH') return errors.notFound();
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return errors.invalid({ message: 'The request could not be read', cause: error });
  }
  return errors.internal({ cause: error });
}
