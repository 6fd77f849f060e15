/** Opens the sources of an import: folders, or otherwise ZIP archives. */
import { stat } from 'node:fs/promises';
import type { Deps } from '../../../deps.ts';
import { openFolderSource } from './folder-source.ts';
import { combineSources, type ImportSource, type ImportSources, NotAnArchive } from './source.ts';

/** Opens the sources, which together form one tree. Throws what `openImportSource` throws, with the path. */
export async function openImportSources(deps: Deps, paths: string[]): Promise<ImportSources> {
  const sources: ImportSource[] = [];
  try {
    for (const path of paths) sources.push(await openImportSource(deps, path));
  } catch (error) {
    await combineSources(sources).close();
    throw error;
  }
  return combineSources(sources);
}

/** Opens a source. Throws NotAnArchive if the path is neither a folder nor a valid ZIP archive. */
async function openImportSource(deps: Deps, path: string): Promise<ImportSource> {
  const found = await stat(path).catch((error: unknown) => {
    throw Object.assign(error as Error, { path });
  });
  if (found.isDirectory()) return openFolderSource(deps, path);
  if (!found.isFile()) throw new NotAnArchive(`${path}: The path is neither a folder nor a ZIP`);
  const { openZipSource } = await import('./archive/source.ts');
  return openZipSource(deps, path).catch((error: unknown) => {
    throw error instanceof NotAnArchive
      ? new NotAnArchive(`${path}: ${error.message}`, { cause: error })
      : error;
  });
}
