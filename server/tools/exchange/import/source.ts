/** Source of an import: a folder or a ZIP archive. Paths are lists of names from the top. */
import { errors } from '../../../platform/errors/catalogue.ts';
import { createFileTooLargeError } from '../../../platform/errors/file-limit.ts';
import type { TemporaryFile } from '../../../platform/storage/storage.ts';
import type { FoundFolder } from './walk.ts';

/** Thrown if the source is no valid archive. The message is a sentence for the operator. */
export class NotAnArchive extends Error {
  override readonly name = 'NotAnArchive';
}

/** A source of files, whose methods throw NotAFile or errors of the file system, like `ENOENT` for a missing file. */
export interface ImportSource {
  /** Yields all folders, each before its subfolders. */
  folders(): AsyncGenerator<FoundFolder>;
  /** Reads a file of at most four megabytes, and returns no bytes for a longer file. */
  bytes(path: string[]): Promise<Buffer>;
  /**
   * Opens a file. Throws unsupportedFormat for an empty file, and fileTooLarge before reading a file that is too large.
   */
  open(path: string[], maxBytes: number): Promise<ImportSourceFile>;
  close(): void;
}

export interface ImportSourceFile {
  /** Absolute path of the file on the disk. */
  path: string;
  /** Modification time of the file in Unix seconds. */
  modified: number;
  /** Temporary file that was created for this import and may be moved. */
  unpacked?: { file: TemporaryFile; size: number; sha256: string };
  close(): Promise<void>;
}

export function checkFileSize(size: number, maxBytes: number): void {
  if (size === 0) throw errors.unsupportedFormat({ message: 'The file is empty' });
  if (size > maxBytes) throw createFileTooLargeError({ maxBytes, setting: 'MAX_UPLOAD_MB' });
}
