/** Copies a gallery from one location to another. The source stays unchanged (ADR 0015). */
import { withBulkReader } from '../../../platform/db/bulk.ts';
import type { TableDigests } from '../digest.ts';
import { TransferError } from '../errors.ts';
import { fillDatabase, verifyDatabaseRows } from '../fill.ts';
import { type GalleryLocation, type GallerySource, openGallerySource } from '../gallery-location.ts';
import type { TransferProgress } from '../progress.ts';
import { copiedTables, countCopiedRows, readCopiedRows } from '../tables.ts';
import { openTarget, type TransferTarget } from '../target.ts';
import { type CopiedObjectCounts, copyObjects } from './copy-objects.ts';

export interface GalleryMoveOptions {
  from: GalleryLocation;
  to: GalleryLocation;
  /** True to finish although objects are missing in the source or do not match their rows. */
  acceptDamage: boolean;
  progress: TransferProgress;
}

export interface GalleryMoveResult extends CopiedObjectCounts {
  tables: TableDigests;
}

/** Maximum number of snapshots of the rows. Only a source in use needs more than one. */
const maxRounds = 5;

/**
 * Copies a gallery, and resolves when the target is complete and compared with the source. After an interruption,
 * another run continues. Throws TransferError if the target is used for something else or the source is damaged.
 */
export async function moveGallery({
  from,
  to,
  acceptDamage,
  progress,
}: GalleryMoveOptions): Promise<GalleryMoveResult> {
  const source = await openGallerySource(from);
  const target = await openTarget(to, { work: 'move', from: source.storage.id });
  try {
    const moved = await copyAll(source, target, progress);
    checkDamage(moved, acceptDamage);
    await target.finish();
    return moved;
  } finally {
    await target.close();
  }
}

/**
 * Copies rows and objects. A source in use may delete photos between the snapshot and the copying of objects. A newer
 * snapshot no longer names these objects. An object that is missing in two successive rounds is really missing.
 */
async function copyAll(
  source: GallerySource,
  target: TransferTarget,
  progress: TransferProgress,
): Promise<GalleryMoveResult> {
  let before = '';
  for (let round = 1; ; round++) {
    const tables = await copyRows(source, target, progress);
    const objects = await withBulkReader(target.rows, (rows) =>
      copyObjects({ from: source.storage, to: target.storage, rows, progress }),
    );
    const missing = objects.missing.sort().join();
    if (missing === '' || missing === before || round === maxRounds) return { tables, ...objects };
    before = missing;
  }
}

/** Copies all rows of one snapshot. */
function copyRows(
  source: GallerySource,
  target: TransferTarget,
  progress: TransferProgress,
): Promise<TableDigests> {
  return withBulkReader(source.rows, async (reader) => {
    const tables = copiedTables(await reader.tables());
    progress.begin('rows', await countCopiedRows(reader, tables));
    const batches = readCopiedRows(reader, tables, progress);
    const rows = { tables, batches, highestIds: () => reader.highestIds() };
    const sums = await fillDatabase(target.rows, rows, target.locationSettings);
    progress.end();
    await verifyDatabaseRows(target.rows, sums);
    return sums;
  });
}

function checkDamage({ missing, damaged }: CopiedObjectCounts, isAccepted: boolean): void {
  if (isAccepted || missing.length + damaged.length === 0) return;
  throw new TransferError(
    'the source is damaged: ' +
      `${listFirstNames(missing, 'missing')}${listFirstNames(damaged, 'with other bytes than its row says')}everything ` +
      'else was copied; repair the source and run this command again, or accept the damage with ' +
      '--accept-damage',
  );
}

function listFirstNames(names: string[], what: string): string {
  if (names.length === 0) return '';
  const shown = names.slice(0, 10).join(', ');
  return `${names.length} ${what} (${shown}${names.length > 10 ? ', …' : ''}); `;
}
