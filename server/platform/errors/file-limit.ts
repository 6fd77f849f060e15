import { type ApiError, errors } from './catalogue.ts';

/** Limit on the bytes of a file. */
export interface FileLimit {
  maxBytes: number;
  /** Name of the setting that contains the limit, if an operator can change the limit. */
  setting?: string | undefined;
}

const megabyte = 1024 * 1024;

/** Returns the error for a file that exceeds its limit. The message names the limit and the setting. */
export function createFileTooLargeError({ maxBytes, setting }: FileLimit): ApiError {
  const limit = `${Number((maxBytes / megabyte).toFixed(1))} MB`;
  return errors.fileTooLarge({
    message: setting
      ? `The file is too large: this server accepts up to ${limit} (${setting})`
      : `The file is too large: the limit is ${limit}`,
  });
}
