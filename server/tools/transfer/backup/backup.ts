/** Writes a running gallery to an archive: a snapshot of its rows, then the objects that these rows name. */
import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import type { Deps } from '../../../deps.ts';
import { type BulkReader, withBulkReader } from '../../../platform/db/bulk.ts';
import { bulkDatabase } from '../../../platform/db/index.ts';
import { holdObjects, type ObjectHold } from '../../../platform/ownership/holds.ts';
import { createTableDigests } from '../digest.ts';
import { readGalleryMigrations } from '../gallery-location.ts';
import { yieldNamedObjects } from '../objects.ts';
import type { TransferProgress } from '../progress.ts';
import { copiedTables, countCopiedRows, readCopiedRows } from '../tables.ts';
import {
  type BackupHeader,
  type BackupManifest,
  backupArchivePaths,
  backupFormatName,
  backupFormatVersion,
  buildBackupObjectPath,
  buildRowsPath,
  maxNamedFiles,
} from './format.ts';
import { type FetchedObject, prefetchObjects, type SpooledObjectNames, spoolObjectNames } from './objects.ts';
import type { BackupWriter } from './writer.ts';

export type BackupSummary = Pick<BackupManifest, 'objects' | 'missing' | 'damaged' | 'tables'>;

export type BackupDeps = Pick<Deps, 'config' | 'db' | 'storage' | 'clock'>;

interface BackupOptions {
  /** Path of a temporary file beside the archive, deleted afterwards. */
  namesFile: string;
  progress: TransferProgress;
}

/**
 * Writes a backup, which includes everything that was acknowledged before the call. The archive is complete when the
 * promise resolves.
 */
export async function backUpGallery(
  deps: BackupDeps,
  archive: BackupWriter,
  { namesFile, progress }: BackupOptions,
): Promise<BackupSummary> {
  const { dataDir, databaseUrl: url } = deps.config;
  const hold = await holdObjects(deps);
  try {
    const { rows, names } = await withBulkReader(await bulkDatabase({ dataDir, url }), async (reader) => ({
      rows: await writeRows(reader, archive, progress),
      names: await spoolObjectNames(namesFile, yieldNamedObjects(reader)),
    }));
    const objects = await writeObjects(deps, archive, names, hold, progress);
    const { missing, damaged } = objects;
    const named = { missing: missing.slice(0, maxNamedFiles), damaged: damaged.slice(0, maxNamedFiles) };
    await archive.finish({ ...rows, ...objects, ...named });
    return { tables: rows.tables, ...objects };
  } finally {
    await rm(namesFile, { force: true });
    await hold.release();
  }
}

async function writeRows(reader: BulkReader, archive: BackupWriter, progress: TransferProgress) {
  const tables = copiedTables(await reader.tables());
  progress.begin('rows', await countCopiedRows(reader, tables));
  const header: BackupHeader = {
    format: backupFormatName,
    version: backupFormatVersion,
    id: randomBytes(16).toString('hex'),
    created: new Date().toISOString(),
    migrations: await readGalleryMigrations(reader),
    tables: Object.fromEntries(tables.map(({ name, columns }) => [name, columns])),
  };
  await archive.addBuffer(backupArchivePaths.header, Buffer.from(`${JSON.stringify(header, null, 2)}\n`));
  const digests = createTableDigests(tables);
  const numbers: Record<string, number> = {};
  for await (const batch of readCopiedRows(reader, tables, progress)) {
    digests.add(batch);
    const { name } = batch.table;
    numbers[name] = (numbers[name] ?? 0) + 1;
    const lines = batch.rows.map((row) => `${JSON.stringify(row)}\n`).join('');
    await archive.addBuffer(buildRowsPath(name, numbers[name]), Buffer.from(lines));
  }
  progress.end();
  return { tables: digests.sums(), highestIds: await reader.highestIds() };
}

async function writeObjects(
  { storage }: BackupDeps,
  archive: BackupWriter,
  names: SpooledObjectNames,
  hold: ObjectHold,
  progress: TransferProgress,
) {
  const result = { objects: 0, missing: [] as string[], damaged: [] as string[] };
  progress.begin('pictures', names.groups);
  for await (const group of prefetchObjects(storage, names.read())) {
    for (const object of group) await writeObject(archive, object, result);
    progress.step(1);
  }
  progress.end();
  // Without the hold, the maintenance run may have deleted objects during the backup, and the list of missing objects
  // would be wrong.
  await hold.check();
  return result;
}

async function writeObject(
  archive: BackupWriter,
  { object, size, open }: FetchedObject,
  result: Pick<BackupSummary, 'objects' | 'missing' | 'damaged'>,
): Promise<void> {
  const bytes = await open();
  if (!bytes) {
    if (!object.isOptional) result.missing.push(object.name);
    return;
  }
  const sha256 = await archive.add(buildBackupObjectPath(object.name), size, bytes);
  result.objects++;
  if (object.sha256 && object.sha256 !== sha256) result.damaged.push(object.name);
}
