/** A folder as the source of an import. Names are read as bytes, because not all names on a disk are UTF-8. */
import { isUtf8 } from 'node:buffer';
import type { Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { Deps } from '../../../deps.ts';
import { getErrorCode } from '../../../platform/errors/storage.ts';
import { decodeNames } from '../plan/decode-names.ts';
import { maxSidecarBytes, type Obstacle } from '../plan/source-file.ts';
import { openFile, readBytes } from './open-file.ts';
import { checkFileSize, type ImportSource, type ListedFile } from './source.ts';
import { unpackFile } from './unpack.ts';

export async function openFolderSource(deps: Deps, root: string): Promise<ImportSource> {
  const found: FoundFile[] = [];
  for await (const file of walkFolder(Buffer.from(root), [])) found.push(file);
  const { files, rawPaths } = nameFiles(found);
  const locate = (path: string) => joinBytes(Buffer.from(root), rawPaths.get(path) ?? Buffer.from(path));
  return {
    files,
    read: (path) => readBytes(locate(path), maxSidecarBytes),
    async open(path, maxBytes) {
      const handle = await openFile(locate(path));
      try {
        const { size, mtimeMs } = await handle.stat();
        checkFileSize(size, maxBytes);
        const modified = Math.floor(mtimeMs / 1000);
        // Picture workers get paths as texts, so that a file whose name is no text is copied first.
        if (rawPaths.has(path)) return { modified, ...(await unpackFile(deps, handle.createReadStream())) };
        return { path: join(root, path), modified, close: async () => {} };
      } finally {
        await handle.close();
      }
    },
    async close() {},
  };
}

interface FoundFile {
  names: Buffer[];
  bytes: number;
  modified: number;
  obstacle?: Obstacle;
}

async function* walkFolder(path: Buffer, names: Buffer[]): AsyncGenerator<FoundFile> {
  let entries: Dirent<Buffer>[];
  try {
    entries = await readdir(path, { withFileTypes: true, encoding: 'buffer' });
  } catch (error) {
    const reason = `The folder cannot be read (${getErrorCode(error)})`;
    yield { names, bytes: 0, modified: 0, obstacle: { outcome: 'refused', reason } };
    return;
  }
  for (const entry of entries) {
    const inner = [...names, entry.name];
    const innerPath = joinBytes(path, entry.name);
    if (entry.isDirectory()) yield* walkFolder(innerPath, inner);
    else yield { names: inner, ...(await describeEntry(innerPath, entry)) };
  }
}

async function describeEntry(path: Buffer, entry: Dirent<Buffer>): Promise<Omit<FoundFile, 'names'>> {
  const nothing = { bytes: 0, modified: 0 };
  if (entry.isSymbolicLink()) return { ...nothing, obstacle: createIgnored('A link, which is not followed') };
  if (!entry.isFile()) return { ...nothing, obstacle: createIgnored('Not a regular file') };
  try {
    const { size, mtimeMs } = await lstat(path);
    return { bytes: size, modified: Math.floor(mtimeMs / 1000) };
  } catch (error) {
    const reason = `The file cannot be read (${getErrorCode(error)})`;
    return { ...nothing, obstacle: { outcome: 'refused', reason } };
  }
}

function createIgnored(reason: string): Obstacle {
  return { outcome: 'ignored', reason };
}

function joinBytes(folder: Buffer, name: Buffer): Buffer {
  return Buffer.concat([folder, Buffer.from(sep), name]);
}

/** Shows names that are not UTF-8 by the encoding that fits all of them. `rawPaths` has their bytes. */
function nameFiles(found: FoundFile[]): { files: ListedFile[]; rawPaths: Map<string, Buffer> } {
  const key = (name: Buffer) => name.toString('latin1');
  const odd = new Map<string, Buffer>();
  for (const name of found.flatMap(({ names }) => names)) if (!isUtf8(name)) odd.set(key(name), name);
  const shown = decodeNames([...odd.values()]);
  const shownByKey = new Map(
    [...odd.keys()].map((each, index) => [each, shown[index]!.replaceAll('/', '_')]),
  );
  const rawPaths = new Map<string, Buffer>();
  const used = new Set<string>();
  const files = found.map(({ names, ...file }) => {
    const isOdd = odd.size > 0 && names.some((name) => odd.has(key(name)));
    const path = names.map((name) => (isOdd && shownByKey.get(key(name))) || name.toString()).join('/');
    if (!isOdd) {
      if (odd.size > 0) used.add(path);
      return { path, ...file };
    }
    const free = findFreePath(path, used);
    rawPaths.set(free, Buffer.from(names.map(key).join(sep), 'latin1'));
    return { path: free, ...file };
  });
  return { files, rawPaths };
}

/** Two names with different bytes can be shown alike. The second one gets a number. */
function findFreePath(path: string, used: Set<string>): string {
  let free = path;
  for (let number = 2; used.has(free); number++) free = path.replace(/(\.[^./]*)?$/, ` (${number})$1`);
  used.add(free);
  return free;
}
