/**
 * Opens a ZIP archive where it lies. The archive is not trusted: its names never become paths on a disk, and signs of an
 * attack refuse the whole archive.
 */
import { openContent } from './content.ts';
import { type ListedEntry, readDirectory, type ZipEntry } from './directory.ts';
import { type DirectoryPlace, findDirectory } from './end.ts';
import { normalizePath } from './paths.ts';
import { BadZip, type ZipSource } from './source.ts';

export interface ZipArchive {
  /** All entries in the order of the archive's list. No two files have the same path. */
  entries: ZipEntry[];
  /**
   * Unpacks a file. The stream fails with BadZipEntry if the bytes are not those that the list promises, or with the
   * error of the source.
   */
  open(entry: ZipEntry): ReadableStream<Uint8Array<ArrayBuffer>>;
}

/**
 * Decodes names that are not UTF-8. All names of an archive come together, because one name rarely shows its encoding.
 */
export type DecodeNames = (names: Uint8Array[]) => string[];

/** Maximum number of entries. An export has two entries for each photo. */
const maxEntries = 1_000_000;
const maxNameBytes = 256 * 1024 * 1024;

/** Throws BadZip, or an error of the source. */
export async function openZip(source: ZipSource, decodeNames: DecodeNames): Promise<ZipArchive> {
  const place = await findDirectory(source);
  if (place.count > maxEntries) refuseCount(place.count);
  const listed = await listEntries(source, place);
  decodeAll(listed, decodeNames);
  const entries = listed.filter((entry) => {
    entry.path = normalizePath(entry.path);
    return entry.path !== '';
  });
  refuseTwins(entries);
  refuseOverlaps(entries);
  return { entries, open: (entry) => openContent(source, entry, place.offset) };
}

async function listEntries(source: ZipSource, place: DirectoryPlace): Promise<ListedEntry[]> {
  const entries: ListedEntry[] = [];
  let nameBytes = 0;
  for await (const entry of readDirectory(source, place)) {
    if (entries.push(entry) > maxEntries) refuseCount(entries.length);
    nameBytes += entry.rawName?.length ?? entry.path.length;
    if (nameBytes > maxNameBytes) throw new BadZip('The names in the ZIP are too long');
    if (entry.method === 0 && !entry.isEncrypted && entry.size !== entry.packedSize) {
      throw new BadZip(`The ZIP has a size mismatch (${entry.path})`);
    }
  }
  const count = place.isZip64 ? entries.length : entries.length % 0x1_0000;
  if (count !== place.count)
    throw new BadZip(
      `The file is no complete ZIP (${entries.length} of ${place.count} files are in its list)`,
    );
  return entries;
}

function refuseCount(count: number): never {
  throw new BadZip(`The ZIP has ${count} entries, but at most ${maxEntries} are allowed`);
}

function decodeAll(entries: ListedEntry[], decodeNames: DecodeNames): void {
  const undecoded = entries.filter(({ rawName }) => rawName);
  if (undecoded.length === 0) return;
  const names = decodeNames(undecoded.map(({ rawName }) => rawName!));
  for (const [index, entry] of undecoded.entries()) {
    entry.path = names[index]!;
    delete entry.rawName;
  }
}

function refuseTwins(entries: ZipEntry[]): void {
  const paths = new Set<string>();
  for (const { path, kind } of entries) {
    if (kind !== 'file') continue;
    if (paths.has(path)) throw new BadZip(`The ZIP contains ${path} twice`);
    paths.add(path);
  }
}

/**
 * Refuses archives whose files overlap. In such an archive many files could use the same bytes, and unpack to any size.
 * Without overlaps, the unpacked size is at most about a thousand times the archive's, the limit of DEFLATE.
 */
function refuseOverlaps(entries: ZipEntry[]): void {
  let end = 0;
  for (const { offset, packedSize, kind } of entries.toSorted((one, other) => one.offset - other.offset)) {
    if (kind !== 'file') continue;
    if (offset < end) throw new BadZip('The files in the ZIP overlap');
    end = offset + packedSize;
  }
}
