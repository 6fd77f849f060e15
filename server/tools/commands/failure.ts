/** What a person at the terminal reads when a command fails: one line where the reason is known. */
import { inspect } from 'node:util';
import { InvalidArgumentError } from 'commander';
import { DatabaseUnavailable, DatabaseUnusable } from '../../platform/db/dialect.ts';
import { ApiError, textOf } from '../../platform/errors/catalogue.ts';
import { StartError } from '../../platform/errors/start.ts';
import { StorageError, StorageUnusable } from '../../platform/errors/storage.ts';
import { MoveError } from '../transfer/errors.ts';

/** A reason that is the person's to mend. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** One line for what is known; everything about what is not. Text from elsewhere may stand in either. */
export function messageOf(error: unknown): string {
  const message = knownMessage(error);
  return message === undefined ? inspect(error) : printable(message);
}

function knownMessage(error: unknown): string | undefined {
  const isPlain = [CommandError, StartError, StorageUnusable, DatabaseUnusable, MoveError].some(
    (plain) => error instanceof plain,
  );
  if (isPlain) return `error: ${(error as Error).message}`;
  if (error instanceof ApiError) return `error: ${error.fields ? textOf(error.fields, ': ') : error.message}`;
  if (error instanceof DatabaseUnavailable || error instanceof StorageError)
    return `error: ${error.message}${causeOf(error)}`;
  return undefined;
}

function causeOf({ cause }: Error): string {
  const { message, code } = (cause ?? {}) as { message?: string; code?: string };
  const reason = message || code;
  return reason ? ` (${reason})` : '';
}

/** Control characters could move the cursor, rename the window or hide text; bidirectional ones reorder a line. */
const unprintable = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** The same text on one line, such characters as `\\x1b` and `\\u202e`. */
export function printable(text: string): string {
  return text.replace(unprintable, (character) => {
    const code = character.codePointAt(0)!.toString(16);
    return code.length <= 2 ? `\\x${code.padStart(2, '0')}` : `\\u${code}`;
  });
}

/** Fewer than may wait in the imaging queue. */
const maxJobs = 32;

export function jobCount(given: string): number {
  const jobs = Number(given);
  if (!/^\d+$/.test(given) || jobs < 1 || jobs > maxJobs) {
    throw new InvalidArgumentError(`must be a whole number from 1 to ${maxJobs}`);
  }
  return jobs;
}
