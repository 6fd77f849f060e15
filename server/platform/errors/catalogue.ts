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

export const catalogue = {
  invalid: { code: 400, status: 400, message: 'Invalid parameters' },
  unauthenticated: { code: 401, status: 401, message: 'Not logged in' },
  forbidden: { code: 403, status: 403, message: 'No permission' },
  notFound: { code: 404, status: 404, message: 'Resource does not exist' },
  methodNotAllowed: { code: 405, status: 405, message: 'Method not allowed' },
  requestTimeout: { code: 408, status: 408, message: 'The request took too long to arrive' },
  protocolVersion: { code: 412, status: 412, message: 'Tus-Resumable must be 1.0.0' },
  bodyTooLarge: { code: 413, status: 413, message: 'Request body too large' },
  wrongContentType: { code: 415, status: 415, message: 'Content type not supported' },
  rangeNotSatisfiable: { code: 416, status: 416, message: 'Range not satisfiable' },
  expectationFailed: { code: 417, status: 417, message: 'The expectation cannot be met' },
  tooManyRequests: { code: 429, status: 429, message: 'Too many requests' },
  headersTooLarge: { code: 431, status: 431, message: 'Request headers too large' },
  internal: { code: 500, status: 500, message: 'Server error' },
  busy: { code: 503, status: 503, message: 'The server is busy, please try again' },
  noSpace: { code: 507, status: 507, message: 'The server has no storage space left' },

  usernameTaken: { code: 10001, status: 409, message: 'Username already exists' },
  emailTaken: { code: 10002, status: 409, message: 'Email already exists' },
  wrongLogin: { code: 10003, status: 401, message: 'Wrong username or password' },
  accountDisabled: { code: 10004, status: 403, message: 'Account disabled' },
  wrongOldPassword: { code: 10005, status: 400, message: 'Wrong old password' },
  badToken: { code: 10006, status: 401, message: 'Token invalid or expired' },
  registrationClosed: {
    code: 10007,
    status: 403,
    message: 'Registration is closed, or the invite is not good',
  },

  secondFactor: { code: 10008, status: 401, message: 'A second factor is needed' },
  wrongCode: { code: 10009, status: 400, message: 'Wrong code' },
  signInAgain: { code: 10010, status: 403, message: 'Sign in again, then try once more within ten minutes' },

  unsupportedFormat: { code: 20001, status: 415, message: 'File format not supported' },
  fileTooLarge: { code: 20002, status: 413, message: 'File size exceeds the limit' },
  photoNotFound: { code: 20003, status: 404, message: 'Photo does not exist' },
  photoForbidden: { code: 20004, status: 403, message: 'No right to act on this photo' },
  quotaExceeded: { code: 20006, status: 413, message: 'Storage quota used up' },
  shareNotFound: { code: 20007, status: 404, message: 'Share does not exist, was revoked or has expired' },
  sharePassword: { code: 20008, status: 403, message: 'Share password missing or wrong' },

  photoExists: { code: 20009, status: 409, message: 'This photo is in the gallery already' },

  albumNotFound: { code: 30001, status: 404, message: 'Album does not exist' },
  albumForbidden: { code: 30002, status: 403, message: 'No right to act on this album' },
  albumNesting: { code: 30003, status: 400, message: 'Album would contain itself or nest deeper than 8' },
  albumIsSmart: {
    code: 30004,
    status: 409,
    message: 'A smart album has what its rule finds: nothing is put into it',
  },

  commentNotFound: { code: 40001, status: 404, message: 'Comment does not exist' },
  commentForbidden: { code: 40002, status: 403, message: 'No right to act on this comment' },

  userNotFound: { code: 50001, status: 404, message: 'User does not exist' },
  followSelf: { code: 50002, status: 400, message: 'Cannot follow yourself' },

  reportNotFound: { code: 60001, status: 404, message: 'Report does not exist' },
  lastAdmin: {
    code: 60002,
    status: 409,
    message: 'The last admin cannot be demoted, disabled or deleted',
  },

  webhookNotFound: { code: 70001, status: 404, message: 'Webhook does not exist' },
  deliveryNotFound: { code: 70002, status: 404, message: 'Delivery does not exist' },
  webhookInactive: { code: 70003, status: 409, message: 'Webhook is not active' },

  uploadNotFound: { code: 80001, status: 404, message: 'Upload does not exist or has ended' },
  uploadConflict: { code: 80002, status: 409, message: 'The upload is at another offset' },
  uploadLocked: { code: 80003, status: 423, message: 'The upload is being worked on' },
  checksumMismatch: { code: 80004, status: 460, message: 'The bytes do not have the checksum' },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorName = keyof typeof catalogue;

const names = new Map<number, ErrorName>(
  Object.entries(catalogue).map(([name, { code }]) => [code, name as ErrorName]),
);

export function errorName({ code }: ApiError): ErrorName {
  return names.get(code)!;
}

type Throwers = Record<ErrorName, (details?: ErrorDetails) => ApiError>;

/** Functions that create the errors of the catalogue, e.g. `errors.photoNotFound()`. The caller throws the result. */
export const errors = Object.fromEntries(
  Object.entries(catalogue).map(([name, entry]) => [
    name,
    (details?: ErrorDetails) => new ApiError(entry, details),
  ]),
) as Throwers;

export function invalidFields(fields: FieldErrors): ApiError {
  return errors.invalid({ fields });
}

/**
 * Returns field errors as one text: `username: must have at least 3 characters; email: must be a valid email address`.
 */
export function joinFieldErrors(fields: FieldErrors, between: string): string {
  const mistakes = Object.entries(fields).map(([field, messages]) => field + between + messages.join(', '));
  return mistakes.join('; ');
}
