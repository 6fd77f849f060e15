/** Tells errors that concern one file from those that stop an import. */
import { ApiError, errorCatalogue, joinFieldErrors } from '../../../platform/errors/catalogue.ts';
import { StorageFull } from '../../../platform/errors/storage.ts';
import { EditError, ImageError } from '../../../platform/imaging/errors.ts';
import { describeUnreadable } from './source.ts';

/** Ignores a refusal, because the owner may have changed or deleted an album or a photo during the import. */
export function ignoreRefusal(error: unknown): void {
  if (!(error instanceof ApiError) || error.status >= 500) throw error;
}

/** Returns true if the import failed because the photo was edited at the same time. */
export function isBusy(error: unknown): boolean {
  return error instanceof ApiError && error.code === errorCatalogue.busy.code;
}

/** Returns true if no further file can be imported, because the quota or the disk is full. */
export function isOutOfSpace(error: unknown): boolean {
  if (error instanceof StorageFull) return true;
  return error instanceof ApiError && error.code === errorCatalogue.quotaExceeded.code;
}

/**
 * Returns the reason why a file was not imported, or undefined if the error is not about the file and must stop the
 * import.
 */
export function describeImportRefusal(error: unknown): string | undefined {
  if (error instanceof ImageError) return error.message;
  if (error instanceof EditError) return `Imported, but its edits could not be applied: ${error.message}`;
  if (error instanceof ApiError) {
    if (error.status >= 500 || isOutOfSpace(error)) return undefined;
    return error.fields ? joinFieldErrors(error.fields) : error.message;
  }
  return describeUnreadable(error);
}
