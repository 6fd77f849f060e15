/** Where an import reads: a folder, or a ZIP. Paths are names from the top. */
import { errors } from '../../../platform/errors/catalogue.ts';
import type { TemporaryFile } from '../../../platform/storage/storage.ts';
import type { FoundFolder } from './walk.ts';

/** Its message is a sentence for the operator. */
export class NotAnArchive extends Error {
  override readonly name = 'NotAnArchive';
}

/** All throw NotAFile, or what the file system says: `ENOENT` where there is none. */
export interface Source {
  /** A folder comes before what is in it. */
  folders(): AsyncGenerator<FoundFolder>;
  /** Reads at most four megabytes; returns no bytes for a longer file. */
  bytes(path: string[]): Promise<Buffer>;
  /** Throws unsupportedFormat for an empty file, fileTooLarge before any of its bytes are read. */
  open(path: string[], maxBytes: number): Promise<SourceFile>;
  close(): void;
}

export interface SourceFile {
  /** Absolute, of a file on the disk. */
  path: string;
  /** Unix seconds. */
  modified: number;
  /** What was made for this import alone, and may be moved away. */
  unpacked?: { file: TemporaryFile; size: number; sha256: string };
  close(): Promise<void>;
}

export function checkSize(size: number, maxBytes: number): void {
  if (size === 0) throw errors.unsupportedFormat({ message: 'The file is empty' });
  if (size > maxBytes) throw errors.fileTooLarge();
}
