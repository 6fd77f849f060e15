/** Reads an archive from its first entry to its last, and compares every checksum on the way. */
import { createHash, hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { extract } from 'tar-stream';
import { createMeter } from '../../../platform/storage/checksum.ts';
import { MoveError } from '../errors.ts';
import { whole } from '../receive.ts';
import {
  checksumLine,
  damaged,
  entriesPerList,
  type Manifest,
  maxBytes,
  parseManifest,
  paths,
} from './format.ts';

export interface ArchiveEntry {
  path: string;
  size: number;
  /** To be read to its end before the next entry is asked for. */
  bytes: AsyncIterable<Buffer>;
}

interface TarEntry extends AsyncIterable<Buffer> {
  header: { name: string; size: number; type: string };
}

/**
 * Yields the entries other than checksums, and returns the manifest. Throws a MoveError as soon as something is not
 * what it was, at the latest after a thousand entries more; until the end nothing of it is proven.
 */
export async function* readArchive(
  file: string,
  onBytes: (count: number) => void = () => {},
): AsyncGenerator<ArchiveEntry, Manifest> {
  const all = createHash('sha256');
  let list = '';
  let listed = 0;
  let entries = 0;
  let manifest: Buffer | undefined;
  for await (const entry of entriesOf(file, onBytes)) {
    const { path, size, bytes } = entry;
    if (path.length > maxBytes.path) throw damaged('the name of an entry is too long');
    if (manifest) {
      const seal = await entryOf(entry, checksumLine('0'.repeat(64), paths.manifest).length);
      return sealed(manifest, path, seal, { entries, checksums: all.digest('hex') });
    }
    if (path === paths.manifest) {
      if (list !== '') throw damaged('its last entries have no checksums');
      manifest = await entryOf(entry, maxBytes.manifest);
    } else if (path.startsWith('checksums/')) {
      // One that is larger than what was counted is another.
      const text = (await entryOf(entry, Buffer.byteLength(list))).toString();
      if (text !== list) throw damaged(`an entry before ${path} is not what it was${firstOther(list, text)}`);
      all.update(text);
      list = '';
      listed = 0;
    } else {
      if (listed === entriesPerList) throw damaged('a list of checksums is missing');
      const meter = createMeter();
      const content = meter.through(bytes);
      yield { path, size, bytes: content };
      // Whatever was left unread counts, too.
      for await (const _ of content);
      list += checksumLine(meter.sum().sha256, path);
      listed++;
      entries++;
    }
  }
  throw damaged('it ends too early');
}

/** A whole entry; refused unread when it claims to be larger than it may be. */
export async function entryOf({ path, size, bytes }: ArchiveEntry, max: number): Promise<Buffer> {
  if (size > max) throw damaged(`${path} has ${size} bytes, and ${max} at most belong there`);
  return whole(bytes, max);
}

/** The tar's entries; what is wrong with the tar itself is told as damage. */
async function* entriesOf(file: string, onBytes: (count: number) => void): AsyncGenerator<ArchiveEntry> {
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
      ? new MoveError(`the archive cannot be read: ${unreadable.message}`)
      : damaged((error as Error).message);

  async function* contentOf(entry: TarEntry): AsyncGenerator<Buffer> {
    try {
      yield* entry;
    } catch (error) {
      throw explained(error);
    }
  }

  try {
    for await (const entry of tar as unknown as AsyncIterable<TarEntry>) {
      // Ours are all files. Of a folder that says it has bytes, the library never comes to an end.
      if (entry.header.type !== 'file') throw new Error(`${entry.header.name} is no file`);
      yield { path: entry.header.name, size: entry.header.size, bytes: contentOf(entry) };
    }
  } catch (error) {
    throw explained(error);
  } finally {
    source.destroy();
  }
}

function sealed(manifest: Buffer, path: string, seal: Buffer, counted: Partial<Manifest>): Manifest {
  if (path !== paths.seal || seal.toString() !== checksumLine(hash('sha256', manifest), paths.manifest)) {
    throw damaged('its manifest is not what it was');
  }
  const parsed = parseManifest(manifest);
  if (parsed.entries !== counted.entries || parsed.checksums !== counted.checksums) {
    throw damaged('entries are missing or were added');
  }
  return parsed;
}

/** Which path differs first, as far as the lists tell. */
function firstOther(found: string, expected: string): string {
  const lines = new Set(expected.split('\n'));
  const other = found.split('\n').find((line) => !lines.has(line));
  return other ? `: ${other.slice(66)}` : '';
}
