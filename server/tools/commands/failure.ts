/** Error messages in the terminal: one line if the reason of the failure is known. */
import { inspect } from 'node:util';
import { InvalidArgumentError } from 'commander';
import { DatabaseUnavailable, DatabaseUnusable } from '../../platform/db/dialect.ts';
import { ApiError, joinFieldErrors } from '../../platform/errors/catalogue.ts';
import { StartError } from '../../platform/errors/start.ts';
import { StorageError, StorageUnusable } from '../../platform/errors/storage.ts';
import { TransferError } from '../transfer/errors.ts';

/** An error that the person at the terminal can fix. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/**
 * Returns one line for a known error, and all details of an unknown error. Control characters are escaped, because
 * error texts can come from files or servers.
 */
export function describeError(error: unknown): string {
  const message = knownMessage(error);
  return message === undefined ? inspect(error) : escapeForTerminal(message);
}

function knownMessage(error: unknown): string | undefined {
  const isPlain = [CommandError, StartError, StorageUnusable, DatabaseUnusable, TransferError].some(
    (plain) => error instanceof plain,
  );
  if (isPlain) return `error: ${(error as Error).message}`;
  if (error instanceof ApiError)
    return `error: ${error.fields ? joinFieldErrors(error.fields) : `${error.message}${describeCause(error)}`}`;
  if (error instanceof DatabaseUnavailable || error instanceof StorageError)
    return `error: ${error.message}${describeCause(error)}`;
  return undefined;
}

function describeCause({ cause }: Error): string {
  let inner = cause;
  while (inner instanceof Error && inner.cause !== undefined) inner = inner.cause;
  const { message, code } = (inner ?? {}) as { message?: string; code?: string };
  const reason = message || code;
  return reason ? ` (${reason})` : '';
}

/**
 * Characters that a terminal could misuse: control characters can move the cursor or hide text, and bidirectional
 * characters reorder a line.
 */
const unprintableCharacters = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** Returns the text with special characters escaped, like `\\x1b` and `\\u202e`, so that it fits on one line. */
export function escapeForTerminal(text: string): string {
  return text.replace(unprintableCharacters, (character) => {
    const code = character.codePointAt(0)!.toString(16);
    return code.length <= 2 ? `\\x${code.padStart(2, '0')}` : `\\u${code}`;
  });
}

/** Maximum of `--jobs`, smaller than the length of the imaging queue. */
const maxJobs = 32;

export function parseJobCount(given: string): number {
  const jobs = Number(given);
  if (!/^\d+$/.test(given) || jobs < 1 || jobs > maxJobs) {
    throw new InvalidArgumentError(`must be a whole number from 1 to ${maxJobs}`);
  }
  return jobs;
}
