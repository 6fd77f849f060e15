/** Errors of the storage, which `platform/http/error-handler.ts` turns into responses. */

const fullCodes = new Set(['ENOSPC', 'EDQUOT']);

/**
 * System errors that may be temporary: the volume is read-only, unmounted or failing, or no file descriptors are left.
 */
const transientCodes = new Set([
  'EROFS',
  'ENOENT',
  'ENOTDIR',
  'EACCES',
  'EPERM',
  'ESTALE',
  'ENODEV',
  'EMFILE',
  'ENFILE',
  'EIO',
]);

export class StorageError extends Error {}

/** The volume or the bucket has no free space. */
export class StorageFull extends StorageError {
  override readonly name = 'StorageFull';

  constructor(cause: unknown) {
    super('the storage is full', { cause });
  }
}

/**
 * The storage is unreachable or overloaded, and the caller may retry. `retryAfter` is the number of seconds to wait.
 */
export class StorageUnavailable extends StorageError {
  override readonly name = 'StorageUnavailable';
  readonly retryAfter: number;

  constructor(cause: unknown, retryAfter = 10) {
    super('the storage is busy or unreachable', { cause });
    this.retryAfter = retryAfter;
  }
}

/** The storage cannot be used, and the server must not start. The message tells the operator what to do. */
export class StorageUnusable extends Error {
  /** Whether the failure may be temporary, because the storage may still be starting. */
  readonly mayPass: boolean;

  constructor(message: string, cause?: unknown, mayPass = false) {
    super(message, { cause });
    this.name = 'StorageUnusable';
    this.mayPass = mayPass;
  }
}

/**
 * Translates an error of writing into a storage error. A missing folder then means that the volume is gone. Returns an
 * unknown error unchanged.
 */
export function toStorageError(error: unknown): unknown {
  const code = getErrorCode(error);
  if (code && fullCodes.has(code)) return new StorageFull(error);
  return code && transientCodes.has(code) ? new StorageUnavailable(error) : error;
}

/**
 * Error codes for missing space or descriptors and for failing disks. No bug in our own code causes these codes, so
 * they are translated wherever they occur.
 */
const systemCodes = new Set([...fullCodes, 'EROFS', 'EMFILE', 'ENFILE', 'EIO']);

/** Returns whether an error means missing space or descriptors, or a failing disk. */
export function isSystemError(error: unknown): boolean {
  return systemCodes.has(getErrorCode(error) ?? '');
}

/** Translates system errors that no other code has translated into storage errors. */
export function toSystemError(error: unknown): unknown {
  return isSystemError(error) ? toStorageError(error) : error;
}

/**
 * Ignores a full storage when the storage is tried at the start. Photos in a full storage can still be read, or deleted
 * to free space. The health check reports that the storage is full.
 */
export async function ignoreFullStorage(trial: Promise<void>): Promise<void> {
  try {
    await trial;
  } catch (error) {
    if (!(toStorageError(error) instanceof StorageFull)) throw error;
  }
}

export function isMissingFileError(error: unknown): boolean {
  return getErrorCode(error) === 'ENOENT';
}

export function getErrorCode(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | undefined)?.code;
}
