/** Writes all error responses. Unknown errors are logged with their request id and answered with a plain 500. */
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { DatabaseFull, DatabaseUnavailable, QueryTooSlow } from '../db/dialect.ts';
import { ApiError, errorCatalogue, errors } from '../errors/catalogue.ts';
import { StorageFull, StorageUnavailable, toSystemError } from '../errors/storage.ts';
import { AbandonedJobError, EditError, ImageError, QueueFullError } from '../imaging/errors.ts';

/** Seconds until the client should retry when the database is unreachable. */
const databaseRetryAfter = 2;

export function handleError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendError(reply, logRequestError(error, request));
}

/** Logs the error for the operator, and returns the error for the client. */
export function logRequestError(error: unknown, request: FastifyRequest): ApiError {
  const known = toApiError(error);
  const { log } = request;
  const { failures } = request.server.shared;
  if (known.status === 503) failures.write(log, 'warn', error, 'request refused temporarily');
  else if (known.status === 507) failures.write(log, 'error', error, 'request failed');
  else if (known.status >= 500) log.error({ err: error }, 'request failed');
  // The decoder's message about a picture appears only in the log.
  else if (known.cause) log.debug({ err: known }, 'request refused');
  return known;
}

/** Headers of a file that is not sent because of the error. */
const headersOfFile = ['accept-ranges', 'content-disposition', 'content-encoding', 'etag', 'last-modified'];

function sendError(reply: FastifyReply, error: ApiError): FastifyReply {
  for (const name of headersOfFile) removeHeader(reply, name);
  // `Content-Range` stays with status 416, because it tells the client the length of the file.
  if (error.status !== 416) removeHeader(reply, 'content-range');
  if (error.retryAfter !== undefined) reply.header('Retry-After', String(error.retryAfter));
  if (error.status === 401) reply.header('WWW-Authenticate', authenticateHeader(error));
  reply.header('Cache-Control', 'no-store').header('X-Content-Type-Options', 'nosniff');
  const { code, message, fields, data } = error;
  const body = { code, message, ...(data && { data }), ...(fields && { errors: fields }) };
  // The body is serialized here, because error responses are independent of the route's response schemas.
  return reply
    .code(error.status)
    .header('Content-Type', 'application/json; charset=utf-8')
    .serializer((payload: unknown) => payload as string)
    .send(JSON.stringify(body));
}

/**
 * Removes a header. Fastify passes the headers of a stream to Node before the first bytes, and has its own copy as
 * well.
 */
function removeHeader(reply: FastifyReply, name: string): void {
  reply.removeHeader(name);
  if (!reply.raw.headersSent) reply.raw.removeHeader(name);
}

/**
 * Returns the value of `WWW-Authenticate`, which RFC 9110 requires for every 401. RFC 6750 adds an error for an invalid
 * token.
 */
function authenticateHeader({ code }: ApiError): string {
  const isBadToken = code === errorCatalogue.badToken.code;
  return `Bearer realm="Lightwell"${isBadToken ? ', error="invalid_token"' : ''}`;
}

/** Translates any error into the error that the client receives. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof ImageError) {
    const entry = error.reason === 'format' ? errors.unsupportedFormat : errors.fileTooLarge;
    return entry({ message: error.message, cause: error });
  }
  if (error instanceof EditError) return errors.invalid({ fields: error.errors });
  // The client has disconnected, so only the log receives this error.
  if (error instanceof AbandonedJobError) return errors.invalid({ message: error.message });
  if (error instanceof QueueFullError) {
    const { message, retryAfter, isOwn } = error;
    return isOwn ? errors.tooManyRequests({ message, retryAfter }) : errors.busy({ retryAfter });
  }
  if (error instanceof DatabaseUnavailable)
    return errors.busy({ retryAfter: databaseRetryAfter, cause: error });
  if (error instanceof QueryTooSlow)
    return errors.busy({ message: 'The query takes too long. Narrow the query.', cause: error });
  const known = toSystemError(error);
  if (known instanceof StorageUnavailable) return errors.busy({ retryAfter: known.retryAfter, cause: known });
  if (known instanceof StorageFull || known instanceof DatabaseFull) return errors.noSpace({ cause: known });
  return fromFramework(error as FastifyError);
}

/** Translates Fastify's own errors, see https://fastify.dev/docs/latest/Reference/Errors/. */
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
      return errors.bodyTooLarge({ message: 'The form has too many fields or files' });
    case 'FST_PROTO_VIOLATION':
      return errors.invalid({ message: 'A form field has a forbidden name' });
    case 'FST_ERR_BAD_URL':
      return errors.invalid({ message: 'The path is not percent-encoded UTF-8' });
  }
  // No id and no object name exceeds the router's length limit, so a longer parameter names nothing that exists.
  if (error.statusCode === 404 || error.code === 'FST_ERR_MAX_PARAM_LENGTH') return errors.notFound();
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return errors.invalid({ message: 'The request is malformed', cause: error });
  }
  return errors.internal({ cause: error });
}
