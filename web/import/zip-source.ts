/** A ZIP that the user chose, read where it lies. */
import { openZip } from '../../server/platform/zip/reader/archive.ts';
import type { ZipEntry } from '../../server/platform/zip/reader/directory.ts';
import { BadZip, type ZipSource } from '../../server/platform/zip/reader/source.ts';
import { decodeNames } from '../../server/tools/exchange/plan/decode-names.ts';
import type { Obstacle, SourceFile } from '../../server/tools/exchange/plan/source-file.ts';

export interface ZipFiles {
  files: SourceFile[];
  /** Unpacks a file. The stream fails if the ZIP is damaged. */
  open(file: SourceFile): ReadableStream<Uint8Array<ArrayBuffer>>;
}

/** Lists the files of a ZIP. Throws BadZip, or an error of the browser if the file cannot be read. */
export async function openZipFiles(file: File, source: number): Promise<ZipFiles> {
  const zip = await openZip(createFileSource(file), decodeNames);
  const entries = new Map<SourceFile, ZipEntry>();
  for (const entry of zip.entries)
    if (entry.kind !== 'folder') entries.set(describeEntry(entry, source), entry);
  return { files: [...entries.keys()], open: (listed) => zip.open(entries.get(listed)!) };
}

function createFileSource(file: File): ZipSource {
  return {
    size: file.size,
    async read(offset, length) {
      const bytes = new Uint8Array(await file.slice(offset, offset + length).arrayBuffer());
      if (bytes.length < length) throw new BadZip('The ZIP has become shorter');
      return bytes;
    },
  };
}

const obstacles: Record<ZipEntry['kind'], Obstacle | undefined> = {
  file: undefined,
  folder: undefined,
  link: { outcome: 'ignored', reason: 'A link, which is not followed' },
  special: { outcome: 'ignored', reason: 'Not an ordinary file' },
};

function describeEntry({ path, kind, size, modified }: ZipEntry, source: number): SourceFile {
  const obstacle = obstacles[kind];
  return { path, bytes: size, modified, source, ...(obstacle && { obstacle }) };
}
