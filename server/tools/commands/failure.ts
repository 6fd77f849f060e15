/** What a person at the terminal reads when a command fails: one line where the reason is known. */
import { inspect } from 'node:util';
import { DatabaseUnavailable, DatabaseUnusable } from '../../platform/db/dialect.ts';
import { ApiError } from '../../platform/errors/catalogue.ts';
import { StartError } from '../../platform/errors/start.ts';
import { StorageUnusable } from '../../platform/errors/storage.ts';
import { MoveError } from '../transfer/errors.ts';
import { printable } from './printable.ts';

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
  if (error instanceof ApiError) return `error: ${apiMessage(error)}`;
  if (error instanceof DatabaseUnavailable) return `error: ${error.message}${causeOf(error)}`;
  return undefined;
}

/** `username: must not have fewer than 3 characters; email: must be a valid email` */
function apiMessage({ message, fields }: ApiError): string {
  if (!fields) return message;
  return Object.entries(fields)
    .map(([field, mistakes]) => `${field}: ${mistakes.join(', ')}`)
    .join('; ');
}

function causeOf({ cause }: Error): string {
  const { message, code } = (cause ?? {}) as { message?: string; code?: string };
  const reason = message || code;
  return reason ? ` (${reason})` : '';
}
