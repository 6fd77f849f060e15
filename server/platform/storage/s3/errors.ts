/** Translates errors of the S3 store into the storage errors of this project. */
import {
  getErrorCode,
  StorageError,
  StorageFull,
  StorageUnavailable,
  StorageUnusable,
  toStorageError,
} from '../../errors/storage.ts';
import { describeS3Location, type S3Location } from './url.ts';

/** Error names for a full store: Ceph and Versity; MinIO with full disks or a bucket quota; stores that answer 507. */
const storageFullErrorNames = new Set([
  'QuotaExceeded',
  'XMinioStorageFull',
  'XMinioStorageBackendFull',
  'XMinioAdminBucketQuotaExceeded',
  'InsufficientStorage',
  'InsufficientCapacity',
]);
/** Message of Garage and Backblaze for a full store, whose error name is only AccessDenied with status 403. */
const fullMessage = /quota is reached|quota exceeded|storage cap exceeded/i;
const insufficientStorage = 507;
const accessRefusedErrorNames = new Set([
  'AccessDenied',
  'Forbidden',
  'InvalidAccessKeyId',
  'SignatureDoesNotMatch',
  'ExpiredToken',
  'InvalidToken',
]);
const wrongRegionErrorNames = new Set([
  'PermanentRedirect',
  'AuthorizationHeaderMalformed',
  'IllegalLocationConstraint',
]);
const unreachableCodePattern =
  /^(ECONN.*|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|TimeoutError)$/;

/**
 * Translates the error of a failed call into StorageFull or StorageUnavailable. StorageUnavailable may be temporary.
 */
export function toS3Error(error: unknown): unknown {
  // The error may come from a temporary file on the local disk.
  const known = toStorageError(error);
  if (known instanceof StorageError) return known;
  const cause = explainError(error);
  return isFull(error) ? new StorageFull(cause) : new StorageUnavailable(cause);
}

function isFull(error: unknown): boolean {
  const status = getHttpStatus(error);
  const isSaid = status === 403 && fullMessage.test((error as Error).message);
  return storageFullErrorNames.has(errorNameFor(error)) || status === insufficientStorage || isSaid;
}

/**
 * Adds the error name and HTTP status to an error without a message. Some stores send no message, and the log would
 * only show `UnknownError`.
 */
function explainError(error: unknown): unknown {
  if (error instanceof Error && ['', 'UnknownError'].includes(error.message)) {
    const status = getHttpStatus(error);
    const code = errorNameFor(error) || 'no error code';
    error.message = `the store responds with ${code}${status ? `, HTTP ${status}` : ''}`;
  }
  return error;
}

/**
 * Returns undefined for a missing object. A missing bucket remains an error, because a missing bucket says nothing
 * about the object.
 */
export function undefinedIfMissing<Value>(work: Promise<Value>): Promise<Value | undefined> {
  return work.catch((error: unknown) => {
    if (['NoSuchKey', 'NotFound'].includes(errorNameFor(error))) return undefined;
    throw toS3Error(error);
  });
}

export function translateS3Errors<Value>(work: Promise<Value>): Promise<Value> {
  return work.catch((error: unknown) => {
    throw toS3Error(error);
  });
}

/** Returns the error that tells the operator why the server does not start. */
export function toS3StartError(error: unknown, place: S3Location): unknown {
  if (error instanceof StorageUnusable) return error;
  const cause = error instanceof StorageError ? error.cause : error;
  return new StorageUnusable(
    `Cannot use the storage ${describeS3Location(place)}: ${describeS3Failure(cause, place)}`,
    cause,
    isTransient(cause),
  );
}

/** Whether the failure may be temporary: the store does not answer, or answers with a server error. */
function isTransient(error: unknown): boolean {
  return (
    unreachableCodePattern.test(getErrorCode(error) ?? errorNameFor(error)) ||
    (getHttpStatus(error) ?? 0) >= 500
  );
}

function describeS3Failure(error: unknown, { bucket, region }: S3Location): string {
  const name = errorNameFor(error);
  const message = error instanceof Error ? error.message : String(error);
  if (name === 'NoSuchBucket' || name === 'NotFound')
    return `the bucket "${bucket}" does not exist. Create it first.`;
  if (name === 'CredentialsProviderError') {
    return 'the keys are missing. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.';
  }
  if (isFull(error)) return `the store is full (${name || 'HTTP 507'}).`;
  if (accessRefusedErrorNames.has(name) || getHttpStatus(error) === 403) {
    return (
      `the store refuses the keys, or an operation (${name}). The keys must have permission to ` +
      `list, read, write and delete in "${bucket}".`
    );
  }
  if (wrongRegionErrorNames.has(name)) return `the region is wrong (${region ?? 'none is set'}): ${message}`;
  if (/region is missing/i.test(message)) return 'the region is missing. Add region=… to STORAGE_URL.';
  return `the connection failed unexpectedly (${getErrorCode(error) ?? name}: ${message || 'no message'}).`;
}

/** Names of errors without a body. Responses to HEAD have a status but no error name. */
const errorNamesWithoutBody = ['', 'Error', 'Unknown', 'UnknownError', '403'];

function errorNameFor(error: unknown): string {
  if (!(error instanceof Error)) return '';
  return getHttpStatus(error) === 403 && errorNamesWithoutBody.includes(error.name)
    ? 'Forbidden'
    : error.name;
}

export function getHttpStatus(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } } | undefined)?.$metadata?.httpStatusCode;
}
