/** Restores a gallery from an archive into an empty location. */
import { stat } from 'node:fs/promises';
import { inParallel } from '../../../platform/concurrency/in-parallel.ts';
import {
  databaseTooOldMessage,
  listMigrationsSinceBaseline,
  migrationNames,
} from '../../../platform/db/migrate.ts';
import { parseObjectName } from '../../../platform/storage/keys.ts';
import type { Storage } from '../../../platform/storage/storage.ts';
import {
  type BackupHeader,
  type BackupManifest,
  backupArchivePaths,
  damagedArchiveError,
  maxBackupEntryBytes,
  parseBackupHeader,
  parseObjectPath,
  parseTablePath,
} from '../backup/format.ts';
import { type BackupEntry, readBackupArchive, readWholeBackupEntry } from '../backup/reader.ts';
import { readBackupRows } from '../backup/rows.ts';
import { TransferError } from '../errors.ts';
import { fillDatabase, verifyDatabaseRows } from '../fill.ts';
import type { GalleryLocation } from '../gallery-location.ts';
import type { TransferProgress } from '../progress.ts';
import { type ReceivedObject, receiveObject, runWithRetries, storeAndVerifyObjects } from '../receive.ts';
import type { RowBatch } from '../tables.ts';
import { openTarget, type TransferTarget } from '../target.ts';

export interface VerifiedBackup {
  header: BackupHeader;
  manifest: BackupManifest;
}

/**
 * Restores an archive. The whole archive is read and verified first, so that a damaged archive changes nothing. Throws
 * TransferError if the archive is incomplete or damaged.
 */
export async function restoreBackupArchive(
  file: string,
  home: GalleryLocation,
  progress: TransferProgress,
): Promise<VerifiedBackup> {
  const archive = await verifyBackupArchive(file, progress);
  const { header, manifest } = archive;
  const target = await openTarget(home, { work: 'restore', from: header.id }, header.migrations.at(-1));
  try {
    await restoreInto(target, file, archive, progress);
    await verifyDatabaseRows(target.rows, manifest.tables);
    await target.finish();
    return archive;
  } finally {
    await target.close();
  }
}

export async function verifyBackupArchive(file: string, progress: TransferProgress): Promise<VerifiedBackup> {
  const { size } = await stat(file).catch((error: Error) => {
    throw new TransferError(`cannot read the archive: ${error.message}`);
  });
  // A pipe has no size.
  progress.begin('bytes compared', size || undefined);
  const entries = readBackupArchive(file, (count) => progress.step(count));
  const header = await readHeader(entries);
  for (;;) {
    const { done, value } = await entries.next();
    if (!done) continue;
    progress.end();
    return { header, manifest: value };
  }
}

async function readHeader(entries: AsyncGenerator<BackupEntry, BackupManifest>): Promise<BackupHeader> {
  const first = await entries.next();
  if (first.done || first.value.path !== backupArchivePaths.header)
    throw new TransferError('this file is not a backup of a gallery');
  const header = parseBackupHeader(await readWholeBackupEntry(first.value, maxBackupEntryBytes.header));
  const migrations = listMigrationsSinceBaseline(header.migrations);
  if (!migrations) throw new TransferError(`the archive ${databaseTooOldMessage}`);
  if (migrations.join() === migrationNames.slice(0, migrations.length).join())
    return { ...header, migrations };
  throw new TransferError(
    'the archive was written by a newer version of Lightwell: restore it with that version',
  );
}

async function restoreInto(
  target: TransferTarget,
  file: string,
  archive: VerifiedBackup,
  progress: TransferProgress,
): Promise<void> {
  const { size } = await stat(file);
  progress.begin('bytes restored', size);
  const entries = readBackupArchive(file, (count) => progress.step(count));
  const { tables } = await readHeader(entries);
  // Rows come first in an archive. The entry after them is the first object, or the end of the archive.
  let next: IteratorResult<BackupEntry, BackupManifest> | undefined;

  async function* batches(): AsyncGenerator<RowBatch> {
    for (;;) {
      next = await entries.next();
      const name = next.done ? undefined : parseTablePath(next.value.path);
      if (next.done || !name) return;
      const columns = Object.hasOwn(tables, name) ? tables[name] : undefined;
      if (!columns)
        throw damagedArchiveError(`the archive has rows of ${name}, but does not list that table`);
      for await (const rows of readBackupRows(next.value)) yield { table: { name, columns }, rows };
    }
  }

  await fillDatabase(
    target.rows,
    {
      tables: Object.entries(tables).map(([name, columns]) => ({ name, columns })),
      batches: batches(),
      highestIds: async () => archive.manifest.highestIds,
    },
    target.locationSettings,
  );
  const restored = await restoreObjects(target.storage, next!, entries);
  if (restored !== archive.manifest.objects)
    throw new TransferError('the archive changed during the restore');
  progress.end();
}

const maxParallelWrites = 6;
/** Maximum number of objects in a group, more than an image version has, because objects wait in memory. */
const maxGroup = 8;

type Entries = AsyncGenerator<BackupEntry, BackupManifest>;

/** Restores the objects and returns their number. `first` is the entry after the rows. */
async function restoreObjects(
  storage: Storage,
  first: IteratorResult<BackupEntry, BackupManifest>,
  entries: Entries,
): Promise<number> {
  let stored = 0;
  await inParallel(groupReceived(storage, first, entries), maxParallelWrites, async (group) => {
    await storeWithRetries(storage, group);
    stored += group.length;
  });
  return stored;
}

/** Stores a group. Only a group in memory is retried, because a failed attempt has deleted temporary files. */
async function storeWithRetries(storage: Storage, group: ReceivedObject[]): Promise<void> {
  const isInMemory = group.every(({ source }) => Buffer.isBuffer(source));
  await (isInMemory
    ? runWithRetries(() => storeAndVerifyObjects(storage, group))
    : storeAndVerifyObjects(storage, group));
}

async function* groupReceived(
  storage: Storage,
  first: IteratorResult<BackupEntry, BackupManifest>,
  entries: Entries,
): AsyncGenerator<ReceivedObject[]> {
  let group: ReceivedObject[] = [];
  let key = '';
  for (let entry = first; !entry.done; entry = await entries.next()) {
    const { path, size, bytes } = entry.value;
    const name = parseObjectPath(path);
    if (!name) throw damagedArchiveError(`${path} does not belong into an archive`);
    const received = await receiveObject(storage, name, size, bytes);
    const nextKey = parseObjectName(name)!.key;
    if (group.length > 0 && (nextKey !== key || group.length === maxGroup)) {
      yield group;
      group = [];
    }
    key = nextKey;
    group.push(received);
  }
  if (group.length > 0) yield group;
}
