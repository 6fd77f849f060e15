/**
 * Photos whose Exif was read before lens, focal length and location were kept: it is read once more, a
 * batch at a time, the newest first. The setting is the highest id that is left; it is gone when none is. A crash, or
 * another process with the same batch, costs no more than reading it again.
 */
import type { Deps } from '../../../deps.ts';
import { regroup } from '../../../gallery/library/groups.ts';
import { noteGear } from '../../../gallery/photos/query/gear.ts';
import { inParallel } from '../../../platform/concurrency/in-parallel.ts';
import { findSetting } from '../../../platform/db/settings.ts';
import type { PhotoRow, Transaction } from '../../../platform/db/tables.ts';
import type { Exif } from '../../../platform/imaging/jobs.ts';
import { type Reading, readOriginal } from './read.ts';

export const unreadSetting = 'exif unread';

const batchSize = 25;
/** Of a store in the network, most of the time is waiting. */
const readAtOnce = 4;

/** Photos that were read, those among them that have something new, and originals that are not there or no good. */
export interface Counts {
  read: number;
  changed: number;
  missing: number;
  unreadable: number;
}

/** Undefined when nothing is left. Throws when the storage is out of reach; then the batch is still to be done. */
export async function readBatch(deps: Deps): Promise<Counts | undefined> {
  const highest = await findSetting(deps.db, unreadSetting);
  if (highest === undefined) return undefined;
  const photos = await findPhotos(deps, Number(highest));
  const readings = new Map<number, Reading>();
  await inParallel(photos, readAtOnce, async ({ id, key, extension }) => {
    // Without a row of its original, a photo is damaged: `lightwell check` tells.
    readings.set(id, key && extension ? await readOriginal(deps, { key, extension }) : 'missing');
  });
  const lowest = photos.at(-1)?.id;
  const changed = await deps.db.kysely.transaction().execute(async (transaction) => {
    if (!(await moveOn(transaction, highest, lowest))) return undefined;
    return keep(deps, transaction, readings);
  });
  // Another process has done the same.
  if (changed === undefined) return { read: 0, changed: 0, missing: 0, unreadable: 0 };
  const count = (what: Reading) => [...readings.values()].filter((reading) => reading === what).length;
  return { read: readings.size, changed, missing: count('missing'), unreadable: count('unreadable') };
}

/** Those in the trash, too: they may be restored. */
function findPhotos({ db }: Deps, highest: number) {
  return db
    .slow()
    .selectFrom('photos')
    .leftJoin('images', 'images.key', 'photos.original_key')
    .select(['photos.id', 'images.key', 'images.extension'])
    .where('photos.id', '<=', highest)
    .orderBy('photos.id', 'desc')
    .limit(batchSize)
    .execute();
}

/** False where another process was quicker. */
async function moveOn(
  transaction: Transaction,
  highest: string,
  lowest: number | undefined,
): Promise<boolean> {
  const isDue = { name: unreadSetting, value: highest };
  if (lowest === undefined) {
    const { numDeletedRows } = await transaction
      .deleteFrom('settings')
      .where('name', '=', isDue.name)
      .where('value', '=', isDue.value)
      .executeTakeFirst();
    return numDeletedRows === 1n;
  }
  const { numUpdatedRows } = await transaction
    .updateTable('settings')
    .set({ value: String(lowest - 1) })
    .where('name', '=', isDue.name)
    .where('value', '=', isDue.value)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Returns how many photos have something new. */
async function keep({ db }: Deps, transaction: Transaction, readings: Map<number, Reading>): Promise<number> {
  const known = [...readings].flatMap(([id, exif]) => (typeof exif === 'string' ? [] : [{ id, exif }]));
  if (known.length === 0) return 0;
  const rows = await transaction
    .selectFrom('photos')
    .selectAll()
    .where(
      'id',
      'in',
      known.map(({ id }) => id),
    )
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  const exifOf = new Map(known.map(({ id, exif }) => [id, exif]));
  const changes = rows
    .map((row) => ({ id: row.id, change: news(row, exifOf.get(row.id)!) }))
    .filter(({ change }) => Object.keys(change).length > 0);
  const ids = changes.map(({ id }) => id);
  await regroup(db, transaction, ids, async () => {
    for (const { id, change } of changes) {
      await transaction.updateTable('photos').set(change).where('id', '=', id).execute();
    }
  });
  await noteGear(
    transaction,
    changes.flatMap(({ change }) => [change.camera ?? '', change.lens ?? '']),
  );
  return changes.length;
}

type ReadColumn =
  | 'camera'
  | 'aperture'
  | 'shutter'
  | 'iso'
  | 'lens'
  | 'focal_length'
  | 'latitude'
  | 'longitude';

/** What the row does not say yet; all that it says stays. */
function news(row: PhotoRow, exif: Exif): Partial<Pick<PhotoRow, ReadColumn>> {
  const { camera, aperture, shutter, iso, lens, focalLength: focal_length, location } = exif;
  const found = { camera, aperture, shutter, iso, lens, focal_length };
  const isNew = ([column, value]: [string, string | number]) => !row[column as keyof typeof found] && value;
  return {
    ...Object.fromEntries(Object.entries(found).filter(isNew)),
    ...(row.latitude === null && location),
  };
}
