/**
 * Handles a report in one transaction: the action, the closing of all open reports about the same thing, and the
 * audit entry.
 */
import type { Deps } from '../../../deps.ts';
import type { ReportsTable, Transaction } from '../../../platform/db/tables.ts';
import { ApiError, errors, invalidFieldsError } from '../../../platform/errors/catalogue.ts';
import { lockUserAndAdmins } from '../../accounts/last-admin.ts';
import { deleteCommentIn } from '../../comments/delete.ts';
import { refuseApiKey } from '../../identity/guard.ts';
import type { Viewer } from '../../identity/viewer.ts';
import { lockPhoto, lockPhotoToMove } from '../../library/locks.ts';
import { getActorName, recordAuditedAct } from '../../moderation/audit.ts';
import { closeReports } from '../../moderation/reports.ts';
import { trashPhotoIn } from '../../photos/trash/trash.ts';
import { markAccountDeleted } from '../erase/erase.ts';
import { disableUser } from '../users/change.ts';
import type { ReportHandling } from './schema.ts';

/**
 * Handles a report and returns the ids of all reports that were closed. Throws reportNotFound, or lastAdmin for the
 * last admin. Throws an error on `id` for a closed report, and on `action` if the account to disable is gone. An
 * error leaves everything unchanged.
 */
export async function handleReport(
  deps: Deps,
  viewer: Viewer,
  id: number,
  { action, note = '' }: ReportHandling,
): Promise<number[]> {
  return deps.db.kysely.transaction().execute(async (transaction) => {
    const report = await transaction
      .selectFrom('reports')
      .select(['target_type', 'target_id'])
      .where('id', '=', id)
      .executeTakeFirst();
    if (!report) throw errors.reportNotFound();
    const target: ReportTarget = { type: report.target_type, id: report.target_id };
    if (action === 'disable_user' || (action === 'delete' && target.type === 'user')) refuseApiKey(viewer);
    const userId = await lockTarget(deps, transaction, target);
    if (action === 'disable_user' && userId !== undefined) await lockIfExists(transaction, userId);
    const handler = await getActorName(transaction, viewer);
    const about = { type: target.type, ids: [target.id] };
    const closed = await closeReports(deps, transaction, about, { action, note, handler });
    if (!closed.includes(id)) throw invalidFieldsError({ id: ['Was already handled'] });
    if (action === 'delete') await deleteTarget(deps, transaction, viewer, target);
    if (action === 'disable_user') {
      if (userId === undefined) throw accountDeletedError();
      await disableUser(deps, transaction, viewer, userId).catch(throwAsAccountDeleted);
    }
    await recordAuditedAct(deps, transaction, viewer, {
      action: 'report.handle',
      target: { type: 'report', id, name: '' },
      details: { action, target_type: target.type, target_id: target.id, reports: closed.length },
    });
    return closed;
  });
}

interface ReportTarget {
  type: ReportsTable['target_type'];
  id: number;
}

/**
 * Locks the reported thing before its reports, like every deletion. Returns the user behind the thing, or undefined
 * if it is gone.
 */
async function lockTarget(
  deps: Deps,
  transaction: Transaction,
  { type, id }: ReportTarget,
): Promise<number | undefined> {
  if (type === 'photo') return (await lockPhotoToMove(deps, transaction, id))?.user_id;
  if (type === 'user') return lockIfExists(transaction, id);
  const find = () =>
    transaction
      .selectFrom('comments')
      .select(['user_id', 'photo_id'])
      .where('id', '=', id)
      .executeTakeFirst();
  const comment = await find();
  if (!comment) return undefined;
  await lockPhoto(transaction, comment.photo_id);
  return (await find())?.user_id;
}

async function lockIfExists(transaction: Transaction, id: number): Promise<number | undefined> {
  try {
    return (await lockUserAndAdmins(transaction, id)).user.id;
  } catch (error) {
    if (isNotFoundError(error)) return undefined;
    throw error;
  }
}

/** Deletes the reported thing. Does nothing if it is already gone. */
async function deleteTarget(
  deps: Deps,
  transaction: Transaction,
  viewer: Viewer,
  { type, id }: ReportTarget,
): Promise<void> {
  const deletions = { photo: trashPhotoIn, comment: deleteCommentIn, user: markAccountDeleted };
  try {
    await deletions[type](deps, transaction, viewer, id);
  } catch (error) {
    if (!isNotFoundError(error)) throw error;
  }
}

function throwAsAccountDeleted(error: unknown): never {
  throw isNotFoundError(error) ? accountDeletedError() : error;
}

function accountDeletedError(): Error {
  return invalidFieldsError({ action: ['The account to disable no longer exists'] });
}

function isNotFoundError(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}
