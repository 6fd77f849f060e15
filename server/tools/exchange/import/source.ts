/** Source of an import: a folder or a ZIP archive. */
import { errors } from '../../../platform/errors/catalogue.ts';
import { createFileTooLargeError } from '../../../platform/errors/file-limit.ts';
import { getErrorCode } from '../../../platform/errors/storage.ts';
import type { TemporaryFile } from '../../../platform/storage/storage.ts';
import type { ReadSmallFile, SourceFile } from '../plan/source-file.ts';
import { NotAFile } from './open-file.ts';

/** Thrown if a source is no valid archive. The message is a sentence for the operator. */
export class NotAnArchive extends Error {
  override readonly name = 'NotAnArchive';
}

export type ListedFile = Omit<SourceFile, 'source'>;

/** A source of files, whose methods throw NotAFile or errors of the file system, like `ENOENT` for a missing file. */
export interface ImportSource {
  /** All files, also hidden ones and those that cannot be read. */
  files: ListedFile[];
  /** Reads a file of at most `maxSidecarBytes`, and returns no bytes for a longer file. */
  read(path: string): Promise<Uint8Array>;
  /**
   * Opens a file. Throws unsupportedFormat for an empty file, and fileTooLarge before reading a file that is too large.
   */
  open(path: string, maxBytes: number): Promise<ImportSourceFile>;
  close(): Promise<void>;
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

/** All sources of an import together. */
export interface ImportSources {
  files: SourceFile[];
  /** Returns no bytes for a file that cannot be read. */
  read: ReadSmallFile;
  open(file: SourceFile, maxBytes: number): Promise<ImportSourceFile>;
  close(): Promise<void>;
}

export function checkFileSize(size: number, maxBytes: number): void {
  if (size === 0) throw errors.unsupportedFormat({ message: 'The file is empty' });
  if (size > maxBytes) throw createFileTooLargeError({ maxBytes, setting: 'MAX_UPLOAD_MB' });
}

export function combineSources(sources: ImportSource[]): ImportSources {
  return {
    files: sources.flatMap(({ files }, source) => files.map((file) => ({ ...file, source }))),
    read: (file) => sources[file.source]!.read(file.path).catch(emptyIfUnreadable),
    open: (file, maxBytes) => sources[file.source]!.open(file.path, maxBytes),
    async close() {
      for (const source of sources) await source.close();
    },
  };
}

/** Error codes of the file system that concern one file. Other codes mean a problem of the machine. */
const singleFileErrors = /^(?:EACCES|EPERM|ENOENT|EIO|ELOOP|EISDIR|ENAMETOOLONG|ESTALE)$/;

/** Returns the reason why one file cannot be read, or undefined for an error of another kind. */
export function describeUnreadable(error: unknown): string | undefined {
  if (error instanceof NotAFile) return error.message;
  const code = getErrorCode(error);
  return code !== undefined && singleFileErrors.test(code) ? `The file cannot be read (${code})` : undefined;
}

function emptyIfUnreadable(error: unknown): Uint8Array {
  if (describeUnreadable(error) === undefined) throw error;
  return new Uint8Array();
}
