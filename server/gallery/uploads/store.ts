/**
 * Rows of uploads. What is correct never depends on a lock: a piece is added where the offset is what its sender saw,
 * by the last request that began to write, and one request alone makes a photo of the upload (ADR 34).
 */
import type { Deps } from '../../deps.ts';
import { inParallel } from '../../platform/concurrency/in-parallel.ts';
import { queueRemovals, refuseMarked } from '../../platform/db/removals.ts';
import { countOf } from '../../platform/db/rows.ts';
import type { Transaction } from '../../platform/db/tables.ts';
import type { UploadPieceRow, UploadRow } from '../../platform/db/tables-uploads.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import { findBrake } from '../../platform/ownership/brake.ts';
import { areObjectsHeld } from '../../platform/ownership/holds.ts';
import { newKey } from '../../platform/storage/keys.ts';
import { refundQuota, takeQuota } from '../photos/upload/quota.ts';

/** From the creation, whatever is sent meanwhile. */
const lifeSeconds = 86_400;
/** Of one user. An application sends a handful at once; the others are those that it gave up. */
const maxOpen = 100;
/** Of one upload: a client that sends byte by byte must not fill the storage with objects. */
const maxPieces = 5000;

const removedAtOnce = 8;

/** Takes the quota and a place. Throws quotaExceeded, tooManyRequests, or badToken as `takeQuota`. */
export async function createUpload(
  { db, clock }: Deps,
  upload: Pick<UploadRow, 'id' | 'user_id' | 'size' | 'metadata'>,
): Promise<void> {
  const now = clock();
  await db.kysely.transaction().execute(async (transaction) => {
    // Locks the user's row, so that no two take the last place.
    await takeQuota(transaction, upload.user_id, upload);
    const open = transaction
      .selectFrom('uploads')
      .where('user_id', '=', upload.user_id)
      .where('photo_id', 'is', null);
    if ((await countOf(open)) >= maxOpen) {
      throw errors.tooManyRequests({ message: `${maxOpen} uploads are open: end some of them first` });
    }
    const times = { create_time: now, expire_time: now + lifeSeconds };
    await transaction
      .insertInto('uploads')
      .values({ ...upload, ...times, received: 0, writer: '', photo_id: null })
      .execute();
  });
}

/** Throws uploadNotFound for none, another's, and one that has expired. */
export async function getUpload({ db, clock }: Deps, userId: number, id: string): Promise<UploadRow> {
  const upload = await db.kysely
    .selectFrom('uploads')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('expire_time', '>', clock())
    .executeTakeFirst();
  if (!upload) throw errors.uploadNotFound();
  return upload;
}

/** From now on only the returned writer can add pieces. Throws uploadConflict when the offset is another. */
export async function takeOver({ db, clock }: Deps, { id, received }: UploadRow): Promise<string> {
  const writer = newKey();
  const { numUpdatedRows } = await db.kysely
    .updateTable('uploads')
    .set({ writer })
    .where('id', '=', id)
    .where('received', '=', received)
    .where('photo_id', 'is', null)
    .where('expire_time', '>', clock())
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) throw errors.uploadConflict();
  return writer;
}

export type Piece = Pick<UploadPieceRow, 'object' | 'size'>;

/** Returns the new offset: pieces that are in the storage already. Throws uploadConflict for an earlier writer. */
export async function addPieces(
  { db, clock }: Deps,
  { id, writer, received }: { id: string; writer: string; received: number },
  pieces: Piece[],
): Promise<number> {
  return db.kysely.transaction().execute(async (transaction) => {
    let start = received;
    const rows = pieces.map(({ object, size }) => {
      start += size;
      return { object, size, upload_id: id, start: start - size };
    });
    const { numUpdatedRows } = await transaction
      .updateTable('uploads')
      .set({ received: start })
      .where('id', '=', id)
      .where('writer', '=', writer)
      .where('received', '=', received)
      .where('photo_id', 'is', null)
      .where('expire_time', '>', clock())
      .executeTakeFirst();
    if (numUpdatedRows !== 1n) throw errors.uploadConflict();
    const before = await countOf(transaction.selectFrom('upload_pieces').where('upload_id', '=', id));
    if (before + rows.length > maxPieces) {
      throw errors.invalid({
        message: 'The upload came in too many small parts: begin again with larger ones',
      });
    }
    await transaction.insertInto('upload_pieces').values(rows).execute();
    const objects = pieces.map(({ object }) => object);
    await refuseMarked(db, transaction, objects);
    return start;
  });
}

/** In the order of their bytes, which leave no gap. */
export function findPieces({ db }: Deps, id: string): Promise<Piece[]> {
  return db.kysely
    .selectFrom('upload_pieces')
    .select(['object', 'size'])
    .where('upload_id', '=', id)
    .orderBy('start')
    .execute();
}

/** Gives back its quota, its place and its pieces. Nothing happens where it has ended already. */
export async function endUpload(deps: Deps, id: string): Promise<void> {
  const objects = await deps.db.kysely.transaction().execute(async (transaction) => {
    // Before the pieces, as those do who add some.
    await transaction.selectFrom('uploads').select('id').where('id', '=', id).forUpdate().execute();
    const pieces = await releasePieces(deps, transaction, id);
    const ended = await transaction
      .deleteFrom('uploads')
      .where('id', '=', id)
      .returning(['user_id', 'size', 'photo_id'])
      .executeTakeFirst();
    if (ended?.photo_id === null) await refundQuota(transaction, ended.user_id, [ended]);
    return pieces;
  });
  await removeSoon(deps, objects);
}

/** Its rows go, their objects follow. Returns the names of the objects. */
export async function releasePieces(
  { clock }: Pick<Deps, 'clock'>,
  transaction: Transaction,
  id: string,
): Promise<string[]> {
  const pieces = await transaction
    .deleteFrom('upload_pieces')
    .where('upload_id', '=', id)
    .returning('object')
    .execute();
  const objects = pieces.map(({ object }) => object);
  await queueRemovals(transaction, objects, clock());
  return objects;
}

/** What the sweep would do within the hour; what fails here is left to it. */
export async function removeSoon(deps: Deps, objects: string[]): Promise<void> {
  if (objects.length === 0) return;
  try {
    if ((await areObjectsHeld(deps)) || (await findBrake(deps))) return;
    await inParallel(objects, removedAtOnce, (object) => deps.storage.remove(object));
    await deps.db.kysely.deleteFrom('removals').where('object', 'in', objects).execute();
  } catch (error) {
    deps.log.warn({ err: error }, 'pieces of an upload are left to the sweep');
  }
}
