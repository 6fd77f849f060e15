/** Errors of the storage. platform/http/error-handler.ts says what a client gets. */

const full = new Set(['ENOSPC', 'EDQUOT']);

/** The volume is read-only, unmounted, gone or fails, or there are no descriptors left: it may pass. */
const passing = new Set([
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

/** The volume or the bucket has no room. */
export class StorageFull extends StorageError {
  override readonly name = 'StorageFull';

  constructor(cause: unknown) {
    super('the storage is full', { cause });
  }
}

/** The storage is unreachable or overloaded: the caller may try again. `retryAfter`: seconds to wait. */
export class StorageUnavailable extends StorageError {
  override readonly name = 'StorageUnavailable';
  readonly retryAfter: number;

  constructor(cause: unknown, retryAfter = 10) {
    super('the storage is busy or out of reach', { cause });
    this.retryAfter = retryAfter;
  }
}

/** The storage cannot be used, and the server must not start: the message tells a person what to do. */
export class StorageUnusable extends Error {
  /** It is out of reach, perhaps only because it is still starting. */
  readonly mayPass: boolean;

  constructor(message: string, cause?: unknown, mayPass = false) {
    super(message, { cause });
    this.name = 'StorageUnusable';
    this.mayPass = mayPass;
  }
}

/** For errors of writing, where a missing folder means that the volume is gone. What is unknown stays as it is. */
export function toStorageError(error: unknown): unknown {
  const code = codeOf(error);
  if (code && full.has(code)) return new StorageFull(error);
  return code && passing.has(code) ? new StorageUnavailable(error) : error;
}

/** What the system has no room or no descriptor for, wherever that was: no mistake of ours has such a code. */
const ofSystem = new Set([...full, 'EROFS', 'EMFILE', 'ENFILE', 'EIO']);

/** Translates errors that no other code has translated. */
export function toSystemError(error: unknown): unknown {
  return ofSystem.has(codeOf(error) ?? '') ? toStorageError(error) : error;
}

/**
 * Of a trial at the start. A full storage is served: what it holds can be read, and deleted to make room. Health, which
 * tries again, says that it is full.
 */
export async function unlessFull(trial: Promise<void>): Promise<void> {
  try {
    await trial;
  } catch (error) {
    if (!(toStorageError(error) instanceof StorageFull)) throw error;
  }
}

export function isMissing(error: unknown): boolean {
  return codeOf(error) === 'ENOENT';
}

export function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | undefined)?.code;
}
