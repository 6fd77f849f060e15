/**
 * Catalogue of all errors that a client can receive: code, HTTP status and public text. Domain code throws an entry
 * (`throw errors.photoNotFound()`). Only `error-handler.ts` writes error responses.
 */
export interface ErrorEntry {
  code: number;
  status: number;
  message: string;
}

/** Messages by field name, as in the envelope's `errors`. */
export type FieldErrors = Record<string, string[]>;

export interface ErrorDetails {
  message?: string;
  fields?: FieldErrors;
  /** Seconds after which a retry makes sense, sent as `Retry-After`. */
  retryAfter?: number;
  /** Additional data for the client, sent as the envelope's `data`. */
  data?: object;
  cause?: unknown;
}

export class ApiError extends Error {
  readonly code: number;
  readonly status: number;
  readonly fields: FieldErrors | undefined;
  readonly retryAfter: number | undefined;
  readonly data: object | undefined;

  constructor(entry: ErrorEntry, details: ErrorDetails = {}) {
    super(details.message ?? entry.message, { cause: details.cause });
    this.name = 'ApiError';
    this.code = entry.code;
    this.status = entry.status;
    this.fields = details.fields;
    this.retryAfter = details.retryAfter;
    this.data = details.data;
  }
}

export const errorCatalogue = {
  invalid: { code: 400, status: 400, message: 'The request has invalid parameters' },
  unauthenticated: { code: 401, status: 401, message: 'You are not signed in. Sign in and try again.' },
  forbidden: { code: 403, status: 403, message: 'You do not have permission to do this' },
  notFound: { code: 404, status: 404, message: 'The resource does not exist' },
  methodNotAllowed: { code: 405, status: 405, message: 'This method is not allowed here' },
  requestTimeout: { code: 408, status: 408, message: 'The request took too long to arrive. Try again.' },
  protocolVersion: { code: 412, status: 412, message: 'The header Tus-Resumable must be 1.0.0' },
  bodyTooLarge: { code: 413, status: 413, message: 'The request body is too large' },
  wrongContentType: { code: 415, status: 415, message: 'The content type is not supported' },
  rangeNotSatisfiable: { code: 416, status: 416, message: 'The requested range is outside the file' },
  expectationFailed: {
    code: 417,
    status: 417,
    message: 'The server cannot meet the Expect header. Leave out that header.',
  },
  tooManyRequests: { code: 429, status: 429, message: 'Too many requests. Try again later.' },
  headersTooLarge: { code: 431, status: 431, message: 'The request headers are too large' },
  internal: { code: 500, status: 500, message: 'The server had an internal error. Try again later.' },
  busy: { code: 503, status: 503, message: 'The server is busy. Try again in a moment.' },
  noSpace: {
    code: 507,
    status: 507,
    message: 'The server has no storage space left. Tell the admin of this gallery.',
  },

  usernameTaken: { code: 10001, status: 409, message: 'The username already exists. Choose another one.' },
  emailTaken: {
    code: 10002,
    status: 409,
    message: 'The email already exists. Sign in, or use another email.',
  },
  wrongLogin: { code: 10003, status: 401, message: 'Wrong username or password' },
  accountDisabled: { code: 10004, status: 403, message: 'This account is disabled. Contact an admin.' },
  wrongOldPassword: { code: 10005, status: 400, message: 'The current password is wrong' },
  badToken: { code: 10006, status: 401, message: 'The token is invalid or has expired. Sign in again.' },
  registrationClosed: {
    code: 10007,
    status: 403,
    message: 'Registration is closed, or the invite is invalid',
  },

  secondFactor: { code: 10008, status: 401, message: 'A code of two-step verification is required' },
  wrongCode: { code: 10009, status: 400, message: 'The code is wrong. Try again with a new code.' },
  signInAgain: {
    code: 10010,
    status: 403,
    message: 'Sign in again, then repeat the request within ten minutes',
  },

  unsupportedFormat: { code: 20001, status: 415, message: 'The file format is not supported' },
  fileTooLarge: { code: 20002, status: 413, message: 'The file size exceeds the limit' },
  photoNotFound: { code: 20003, status: 404, message: 'The photo does not exist' },
  photoForbidden: { code: 20004, status: 403, message: 'You do not have the right to act on this photo' },
  quotaExceeded: {
    code: 20006,
    status: 413,
    message: 'The storage quota is used up. Empty the trash, or ask an admin for more.',
  },
  shareNotFound: {
    code: 20007,
    status: 404,
    message: 'The share does not exist, was revoked or has expired',
  },
  sharePassword: { code: 20008, status: 403, message: 'The share password is missing or wrong' },

  photoExists: { code: 20009, status: 409, message: 'This photo is already in the gallery' },

  albumNotFound: { code: 30001, status: 404, message: 'The album does not exist' },
  albumForbidden: { code: 30002, status: 403, message: 'You do not have the right to act on this album' },
  albumNesting: {
    code: 30003,
    status: 400,
    message: 'An album cannot contain itself, and albums nest at most 8 levels deep',
  },
  albumIsSmart: {
    code: 30004,
    status: 409,
    message: 'Photos cannot be added to a smart album, because its rule selects them',
  },

  commentNotFound: { code: 40001, status: 404, message: 'The comment does not exist' },
  commentForbidden: { code: 40002, status: 403, message: 'You do not have the right to act on this comment' },

  userNotFound: { code: 50001, status: 404, message: 'The user does not exist' },
  followSelf: { code: 50002, status: 400, message: 'You cannot follow yourself' },

  reportNotFound: { code: 60001, status: 404, message: 'The report does not exist' },
  lastAdmin: {
    code: 60002,
    status: 409,
    message: 'The last admin cannot be demoted, disabled or deleted. Make another user an admin first.',
  },

  webhookNotFound: { code: 70001, status: 404, message: 'The webhook does not exist' },
  deliveryNotFound: { code: 70002, status: 404, message: 'The delivery does not exist' },
  webhookInactive: {
    code: 70003,
    status: 409,
    message: 'The webhook is not active. Activate the webhook first.',
  },

  uploadNotFound: {
    code: 80001,
    status: 404,
    message: 'The upload does not exist, or was completed, canceled or expired',
  },
  uploadConflict: {
    code: 80002,
    status: 409,
    message: 'Upload-Offset is not the current offset of the upload. Get the offset with a HEAD request.',
  },
  uploadLocked: {
    code: 80003,
    status: 423,
    message: 'Another request is writing to this upload. Try again in a moment.',
  },
  checksumMismatch: {
    code: 80004,
    status: 460,
    message: 'The received bytes do not match the checksum. Send them again.',
  },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorName = keyof typeof errorCatalogue;

const errorNameByCode = new Map<number, ErrorName>(
  Object.entries(errorCatalogue).map(([name, { code }]) => [code, name as ErrorName]),
);

export function errorName({ code }: ApiError): ErrorName {
  return errorNameByCode.get(code)!;
}

type Throwers = Record<ErrorName, (details?: ErrorDetails) => ApiError>;

/** Functions that create the errors of the catalogue, e.g. `errors.photoNotFound()`. The caller throws the result. */
export const errors = Object.fromEntries(
  Object.entries(errorCatalogue).map(([name, entry]) => [
    name,
    (details?: ErrorDetails) => new ApiError(entry, details),
  ]),
) as Throwers;

export function invalidFieldsError(fields: FieldErrors): ApiError {
  return errors.invalid({ fields });
}

/** Returns a message with a final period. A message of a single sentence has none. */
export function addFinalPeriod(message: string): string {
  return message.endsWith('.') ? message : `${message}.`;
}

/**
 * Returns field errors as one text: `username: Must have at least 3 characters; email: Must be a valid email address`.
 */
export function joinFieldErrors(fields: FieldErrors): string {
  const mistakes = Object.entries(fields).map(([field, messages]) => `${field}: ${messages.join(', ')}`);
  return mistakes.join('; ');
}
