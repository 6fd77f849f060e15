/** Opens the source of an import: a folder, or otherwise a ZIP archive. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Deps } from '../../../deps.ts';
import { readSidecarBytes } from './sidecar.ts';
import { checkFileSize, type ImportSource, NotAnArchive } from './source.ts';
import { openFile, walkFolders } from './walk.ts';

/** Opens a source. Throws NotAnArchive if the path is neither a folder nor a valid ZIP archive. */
export async function openImportSource(deps: Deps, path: string): Promise<ImportSource> {
  const found = await stat(path);
  if (found.isDirectory()) return folderSource(path);
  if (!found.isFile()) throw new NotAnArchive('The path is neither a folder nor a ZIP');
  const { openZipSource } = await import('./archive/source.ts');
  return openZipSource(deps, path);
}

function folderSource(root: string): ImportSource {
  return {
    folders: () => walkFolders(root),
    bytes: (path) => readSidecarBytes(join(root, ...path)),
    async open(names, maxBytes) {
      const path = join(root, ...names);
      const handle = await openFile(path);
      try {
        const { size, mtimeMs } = await handle.stat();
        checkFileSize(size, maxBytes);
        return { path, modified: Math.floor(mtimeMs / 1000), close: async () => {} };
      } finally {
        await handle.close();
      }
    },
    close() {},
  };
}
