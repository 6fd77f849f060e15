/** Creates archives like the command line does, without a process for each archive. */
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BackupDeps, backUpGallery } from '../../../server/tools/transfer/backup/backup.ts';
import { createBackupWriter } from '../../../server/tools/transfer/backup/writer.ts';
import type { GalleryLocation } from '../../../server/tools/transfer/gallery-location.ts';
import { silentProgress } from '../../../server/tools/transfer/progress.ts';
import { restoreBackupArchive } from '../../../server/tools/transfer/restore/restore.ts';

export function backUp({ deps }: { deps: BackupDeps }, file: string) {
  const archive = createBackupWriter(createWriteStream(file));
  return backUpGallery(deps, archive, { namesFile: `${file}.names`, progress: silentProgress });
}

export function restoreTo(home: GalleryLocation, file: string) {
  return restoreBackupArchive(file, home, silentProgress);
}

/** Returns the position and size of the contents of a tar entry. */
export async function findEntry(file: string, pattern: RegExp): Promise<{ start: number; size: number }> {
  const tar = await readFile(file);
  for (let at = 0; at + 512 <= tar.length; ) {
    const name = tar.toString('latin1', at, at + 100).replace(/\0.*$/s, '');
    const size = Number.parseInt(tar.toString('latin1', at + 124, at + 136), 8) || 0;
    if (pattern.test(name) && size > 0) return { start: at + 512, size };
    at += 512 + Math.ceil(size / 512) * 512;
  }
  throw new Error(`no entry like ${pattern} in ${join(file)}`);
}
