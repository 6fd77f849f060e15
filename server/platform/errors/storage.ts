/** What the file system says, in our words. */
import { ApiError, catalogue, errors } from './catalogue.ts';

/** Seconds that a client is asked to wait when the storage is out of reach. */
const retryAfter = 10;

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
  if (code && full.has(code)) return errors.noSpace({ cause: error });
  if (code && passing.has(code)) return errors.busy({ retryAfter, cause: error });
  return error;
}

/** What the system has no room or no descriptor for, wherever that was: no mistake of ours has such a code. */
const ofSystem = new Set([...full, 'EROFS', 'EMFILE', 'ENFILE', 'EIO']);

/** For errors that nobody on their way has put into our words. */
export function toSystemRefusal(error: unknown): ApiError | undefined {
  const code = codeOf(error);
  if (!code || !ofSystem.has(code)) return undefined;
  return toStorageError(error) as ApiError;
}

/**
 * Of a trial at the start. A full storage is served: what it holds can be read, and deleted to make room. Health, which
 * tries again, says that it is full.
 */
export async function unlessFull(trial: Promise<void>): Promise<void> {
  try {
    await trial;
  } catch (error) {
    const known = toStorageError(error);
    if (!(known instanceof ApiError) || known.code !== catalogue.noSpace.code) throw error;
  }
}

export function isMissing(error: unknown): boolean {
  return codeOf(error) === 'ENOENT';
}

export function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | undefined)?.code;
}
