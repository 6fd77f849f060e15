/** Reads an archive from its first to its last entry, and compares all checksums. */
import { createHash, hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { extract } from 'tar-stream';
import { createChecksumMeter } from '../../../platform/storage/checksum.ts';
import { TransferError } from '../errors.ts';
import { readWholeStream } from '../receive.ts';
import {
  type BackupManifest,
  backupArchivePaths,
  checksumLine,
  damagedArchiveError,
  entriesPerChecksumList,
  maxBackupEntryBytes,
  parseBackupManifest,
} from './format.ts';

export interface BackupEntry {
  path: string;
  size: number;
  /** Content of the entry, which the caller must read before the next entry. */
  bytes: AsyncIterable<Buffer>;
}

interface TarEntry extends AsyncIterable<Buffer> {
  header: { name: string; size: number; type: string };
}

/**
 * Yields the entries other than checksums, and returns the manifest. Throws TransferError after at most a thousand entries
 * if a checksum differs. Until the manifest is returned, the archive may still be incomplete.
 */
export async function* readBackupArchive(
  file: string,
  onBytes: (count: number) => void = () => {},
): AsyncGenerator<BackupEntry, BackupManifest> {
  const all = createHash('sha256');
  let list = '';
  let listed = 0;
  let entries = 0;
  let manifest: Buffer | undefined;
  for await (const entry of readEntries(file, onBytes)) {
    const { path, size, bytes } = entry;
    if (path.length > maxBackupEntryBytes.path) throw damagedArchiveError('the name of an entry is too long');
    if (manifest) {
      const seal = await readWholeBackupEntry(
        entry,
        checksumLine('0'.repeat(64), backupArchivePaths.manifest).length,
      );
      return checkSeal(manifest, path, seal, { entries, checksums: all.digest('hex') });
    }
    if (path === backupArchivePaths.manifest) {
      if (list !== '') throw damagedArchiveError('the last entries have no checksums');
      manifest = await readWholeBackupEntry(entry, maxBackupEntryBytes.manifest);
    } else if (path.startsWith('checksums/')) {
      // A list that is longer than the expected list differs, so it is refused before it is read.
      const text = (await readWholeBackupEntry(entry, Buffer.byteLength(list))).toString();
      if (text !== list)
        throw damagedArchiveError(
          `an entry before ${path} does not match its checksum${firstOther(list, text)}`,
        );
      all.update(text);
      list = '';
      listed = 0;
    } else {
      if (listed === entriesPerChecksumList) throw damagedArchiveError('a list of checksums is missing');
      const meter = createChecksumMeter();
      const content = meter.through(bytes);
      yield { path, size, bytes: content };
      // Unread bytes are read here, because the checksum covers the whole entry.
      for await (const _ of content);
      list += checksumLine(meter.sum().sha256, path);
      listed++;
      entries++;
    }
  }
  throw damagedArchiveError('the archive ends too early');
}

/** Reads a whole entry. An entry whose header names more than `max` bytes is refused unread. */
export async function readWholeBackupEntry({ path, size, bytes }: BackupEntry, max: number): Promise<Buffer> {
  if (size > max) throw damagedArchiveError(`${path} has ${size} bytes, but at most ${max} are allowed`);
  return readWholeStream(bytes, max);
}

/** Yields the entries of the tar. Errors of the tar format are reported as a damaged archive. */
async function* readEntries(file: string, onBytes: (count: number) => void): AsyncGenerator<BackupEntry> {
  const tar = extract();
  const source = createReadStream(file, { highWaterMark: 1024 * 1024 });
  let unreadable: Error | undefined;
  source.on('data', (chunk) => onBytes(chunk.length));
  source.on('error', (error) => {
    unreadable = error;
    tar.destroy(error);
  });
  source.pipe(tar);
  const explained = (error: unknown) =>
    unreadable
      ? new TransferError(`cannot read the archive: ${unreadable.message}`)
      : damagedArchiveError((error as Error).message);

  async function* readContent(entry: TarEntry): AsyncGenerator<Buffer> {
    try {
      yield* entry;
    } catch (error) {
      throw explained(error);
    }
  }

  try {
    for await (const entry of tar as unknown as AsyncIterable<TarEntry>) {
      // An archive of Lightwell contains only files. The library would never finish a folder entry that claims to have
      // bytes.
      if (entry.header.type !== 'file') throw new Error(`${entry.header.name} is not a file`);
      yield { path: entry.header.name, size: entry.header.size, bytes: readContent(entry) };
    }
  } catch (error) {
    throw explained(error);
  } finally {
    source.destroy();
  }
}

function checkSeal(
  manifest: Buffer,
  path: string,
  seal: Buffer,
  counted: Partial<BackupManifest>,
): BackupManifest {
  if (
    path !== backupArchivePaths.seal ||
    seal.toString() !== checksumLine(hash('sha256', manifest), backupArchivePaths.manifest)
  ) {
    throw damagedArchiveError('the manifest does not match its checksum');
  }
  const parsed = parseBackupManifest(manifest);
  if (parsed.entries !== counted.entries || parsed.checksums !== counted.checksums) {
    throw damagedArchiveError('entries were removed or added');
  }
  return parsed;
}

/** Returns the first path whose checksum differs, if the lists show it. */
function firstOther(found: string, expected: string): string {
  const lines = new Set(expected.split('\n'));
  const other = found.split('\n').find((line) => !lines.has(line));
  return other ? `: ${other.slice(66)}` : '';
}
