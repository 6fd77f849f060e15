/**
 * Rows of uploads. Correctness never depends on a lock. The statement that adds pieces checks the offset and the
 * current writer, and only one request can make a photo of the upload (ADR 34).
 */
import type { Deps } from '../../deps.ts';
import { inParallel } from '../../platform/concurrency/in-parallel.ts';
import { queueRemovals, refuseQueuedForRemoval } from '../../platform/db/removals.ts';
import { countRows } from '../../platform/db/rows.ts';
import type { Transaction } from '../../platform/db/tables.ts';
import type { UploadPieceRow, UploadRow } from '../../platform/db/tables-uploads.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import { findDeletionLock } from '../../platform/ownership/deletion-lock.ts';
import { areObjectsHeld } from '../../platform/ownership/holds.ts';
import { createObjectKey } from '../../platform/storage/keys.ts';
import { refundQuota, reserveQuota } from '../photos/upload/quota.ts';

/** Seconds from the creation of an upload to its expiry. Later requests do not extend the time. */
const lifetimeSeconds = 86_400;
/**
 * Maximum number of open uploads of one user. An application sends only a few at the same time, so most open uploads
 * are abandoned ones.
 */
const maxOpen = 100;
/**
 * Maximum number of pieces of one upload, so that a client that sends single bytes cannot fill the storage with
 * objects.
 */
const maxPieces = 5000;

const removalBatchSize = 8;

/**
 * Creates an upload and reserves quota for its file. Throws quotaExceeded, or tooManyRequests if the user has too many
 * open uploads, or badToken if the user no longer exists.
 */
export async function createUpload(
  { db, clock }: Deps,
  upload: Pick<UploadRow, 'id' | 'user_id' | 'size' | 'metadata'>,
): Promise<void> {
  const now = clock();
  await db.kysely.transaction().execute(async (transaction) => {
    // Reserving quota locks the user's row, so that two requests cannot both create the last allowed upload.
    await reserveQuota(transaction, upload.user_id, upload);
    const open = transaction
      .selectFrom('uploads')
      .where('user_id', '=', upload.user_id)
      .where('photo_id', 'is', null);
    if ((await countRows(open)) >= maxOpen) {
      throw errors.tooManyRequests({
        message: `You already have ${maxOpen} unfinished uploads. Complete or cancel some of them first.`,
      });
    }
    const times = { create_time: now, expire_time: now + lifetimeSeconds };
    await transaction
      .insertInto('uploads')
      .values({ ...upload, ...times, received: 0, writer: '', photo_id: null })
      .execute();
  });
}

/** Returns the row of an upload. Throws uploadNotFound for an unknown id, another user's upload and an expired one. */
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

/**
 * Makes a new writer the only one that can add pieces to the upload, and returns the writer's key. Throws
 * uploadConflict if the offset has changed.
 */
export async function replaceUploadWriter({ db, clock }: Deps, { id, received }: UploadRow): Promise<string> {
  const writer = createObjectKey();
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

export type UploadPiece = Pick<UploadPieceRow, 'object' | 'size'>;

/**
 * Adds the rows of pieces whose objects are already in the storage, and returns the new offset. Throws uploadConflict
 * if another writer has taken over.
 */
export async function insertUploadPieces(
  { db, clock }: Deps,
  { id, writer, received }: { id: string; writer: string; received: number },
  pieces: UploadPiece[],
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
    const before = await countRows(transaction.selectFrom('upload_pieces').where('upload_id', '=', id));
    if (before + rows.length > maxPieces) {
      throw errors.invalid({
        message: 'The upload has too many small parts. Start again with larger ones.',
      });
    }
    await transaction.insertInto('upload_pieces').values(rows).execute();
    const objects = pieces.map(({ object }) => object);
    await refuseQueuedForRemoval(db, transaction, objects);
    return start;
  });
}

/** Returns the pieces of an upload in the order of their bytes, which have no gaps. */
export function findUploadPieces({ db }: Deps, id: string): Promise<UploadPiece[]> {
  return db.kysely
    .selectFrom('upload_pieces')
    .select(['object', 'size'])
    .where('upload_id', '=', id)
    .orderBy('start')
    .execute();
}

/**
 * Deletes an upload with its pieces, and refunds the quota of an unfinished upload. An upload that no longer exists is
 * ignored.
 */
export async function deleteUpload(deps: Deps, id: string): Promise<void> {
  const objects = await deps.db.kysely.transaction().execute(async (transaction) => {
    // The upload is locked before its pieces, in the same order as in `insertUploadPieces`, to avoid a deadlock.
    await transaction.selectFrom('uploads').select('id').where('id', '=', id).forUpdate().execute();
    const pieces = await releaseUploadPieces(deps, transaction, id);
    const ended = await transaction
      .deleteFrom('uploads')
      .where('id', '=', id)
      .returning(['user_id', 'size', 'photo_id'])
      .executeTakeFirst();
    if (ended?.photo_id === null) await refundQuota(transaction, ended.user_id, [ended]);
    return pieces;
  });
  await removeObjectsNow(deps, objects);
}

/** Deletes the rows of an upload's pieces and queues the removal of their objects. Returns the names of the objects. */
export async function releaseUploadPieces(
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

/**
 * Deletes objects at once that the maintenance run would otherwise delete within an hour. Objects that cannot be
 * deleted now stay for that run.
 */
export async function removeObjectsNow(deps: Deps, objects: string[]): Promise<void> {
  if (objects.length === 0) return;
  try {
    if ((await areObjectsHeld(deps)) || (await findDeletionLock(deps))) return;
    await inParallel(objects, removalBatchSize, (object) => deps.storage.remove(object));
    await deps.db.kysely.deleteFrom('removals').where('object', 'in', objects).execute();
  } catch (error) {
    deps.log.warn({ err: error }, 'pieces of an upload are left for the maintenance run to delete');
  }
}
