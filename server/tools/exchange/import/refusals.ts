/** Why a file was not imported, as a person reads it. */
import { ApiError, catalogue } from '../../../platform/errors/catalogue.ts';
import { codeOf } from '../../../platform/errors/storage.ts';
import { EditError, ImageError } from '../../../platform/imaging/errors.ts';
import { NotAFile } from './open-file.ts';

/** Neither this file nor any other fits: the user's quota or the volume is used up. */
export function isFull(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.code === catalogue.quotaExceeded.code || error.code === catalogue.noSpace.code;
}

/** What the file system says of one file; more than that is trouble of the machine. */
const ofOneFile = new Set(['EACCES', 'EPERM', 'ENOENT', 'EIO', 'ELOOP', 'EISDIR', 'ENAMETOOLONG', 'ESTALE']);

/** Undefined for what is no file's fault: the import ends with it. */
export function reasonOf(error: unknown): string | undefined {
  if (error instanceof ImageError) return error.message;
  if (error instanceof EditError) return `imported, but its edits could not be made: ${error.message}`;
  if (error instanceof ApiError) return error.status < 500 && !isFull(error) ? sentence(error) : undefined;
  if (error instanceof NotAFile) return error.message;
  const code = codeOf(error);
  return code !== undefined && ofOneFile.has(code) ? `It cannot be read (${code})` : undefined;
}

function sentence({ message, fields }: ApiError): string {
  if (!fields) return message;
  const mistakes = Object.entries(fields).map(([field, texts]) => `${field} ${texts.join(', ')}`);
  return `${message}: ${mistakes.join('; ')}`;
}
