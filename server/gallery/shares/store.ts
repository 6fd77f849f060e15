/** Reads, lists and deletes shares in the database. */

import type { Deps } from '../../deps.ts';
import { type PreparedRead, prepareRead } from '../../platform/db/prepared.ts';
import { countRows } from '../../platform/db/rows.ts';
import type { Visibility } from '../../platform/db/states.ts';
import type { ShareRow } from '../../platform/db/tables.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import type { RowWindow } from '../../platform/http/pagination.ts';
import type { AlbumNeedingCover } from '../albums/covers.ts';
import { membersOnlyColumn } from '../identity/members-only.ts';
import type { Viewer } from '../identity/viewer.ts';
import { canManageItem, isOwner } from '../library/permissions.ts';
import {
  accountEnabledCondition,
  albumCurrentVisibilityColumn,
  currentVisibilityColumn,
} from '../library/visibility-sql.ts';
import { auditActOnOthers } from '../moderation/audit.ts';

/** A share with the fields of its photo or album that the list shows. Fields of the other type are null. */
export interface ShareItemRow extends ShareRow {
  title: string | null;
  image_key: string | null;
  visibility_now: Visibility | null;
  owner_id: number | null;
  album_name: string | null;
  album_visibility_now: Visibility | null;
  album_owner: number | null;
  album_cover: number | null;
  album_rule: string | null;
}

/** Returns the shared albums with the columns that finding their covers needs. */
export function selectSharedAlbums(rows: ShareItemRow[]): AlbumNeedingCover[] {
  const byId = new Map(rows.map((row) => [row.album_id, row]));
  return [...byId].flatMap(([id, { album_owner, album_cover, album_rule }]) =>
    id === null || album_owner === null
      ? []
      : { id, user_id: album_owner, cover_id: album_cover, rule: album_rule },
  );
}

/** Returns the shares of a user, the newest first, including expired ones, so that the user can delete them. */
export function listShares(
  deps: Deps,
  userId: number,
  { limit, offset }: RowWindow,
): Promise<ShareItemRow[]> {
  return shareItems(deps)
    .where('shares.user_id', '=', userId)
    .orderBy('shares.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
}

/** Returns a share with the fields of its photo or album. Throws shareNotFound if the share was revoked meanwhile. */
export function getShareListItem(deps: Deps, id: number): Promise<ShareItemRow> {
  return shareItems(deps)
    .where('shares.id', '=', id)
    .executeTakeFirstOrThrow(() => errors.shareNotFound());
}

function shareItems({ db }: Deps) {
  return db.kysely
    .selectFrom('shares')
    .leftJoin('photos', 'photos.id', 'shares.photo_id')
    .leftJoin('albums', 'albums.id', 'shares.album_id')
    .selectAll('shares')
    .select([currentVisibilityColumn, albumCurrentVisibilityColumn('album_visibility_now')])
    .select(['albums.name as album_name', 'albums.user_id as album_owner', 'albums.cover_id as album_cover'])
    .select('albums.rule as album_rule')
    .select(['photos.title', 'photos.image_key', 'photos.user_id as owner_id']);
}

export function countShares({ db }: Deps, userId: number): Promise<number> {
  return countRows(db.kysely.selectFrom('shares').where('user_id', '=', userId));
}

/**
 * Revokes a share at once. Throws shareNotFound for an unknown share, and forbidden for another user's share unless the
 * viewer is an admin.
 */
export async function deleteShare(deps: Deps, viewer: Viewer, id: number): Promise<void> {
  await deps.db.kysely.transaction().execute(async (transaction) => {
    const share = await getShare(transaction, id);
    if (!canManageItem(viewer, share)) throw errors.forbidden();
    await transaction.deleteFrom('shares').where('id', '=', id).execute();
    await auditActOnOthers(deps, transaction, viewer, share, {
      action: 'share.delete',
      target: { type: 'share', id, name: share.type },
    });
  });
}

/**
 * Returns a share that the viewer created. Throws shareNotFound for an unknown share, and forbidden for another user's
 * share. Admins can only revoke the share of another user.
 */
export async function getManageableShare(viewer: Viewer, kysely: Deps['db']['kysely'], id: number) {
  const share = await getShare(kysely, id);
  if (!isOwner(viewer, share)) throw errors.forbidden();
  return share;
}

async function getShare(kysely: Deps['db']['kysely'], id: number) {
  const share = await kysely
    .selectFrom('shares')
    .select(['user_id', 'type'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!share) throw errors.shareNotFound();
  return share;
}

/** A share with what decides the paths of its images. */
export interface ShareWithOwnerRow extends ShareRow {
  /** 1 if the gallery is for members only. The link then has signed paths also for public photos. */
  members_only: number;
}

export function prepareFindShare({ db, config }: Deps): PreparedRead<ShareWithOwnerRow> {
  return prepareRead<ShareWithOwnerRow>(db, (query, arg) =>
    query
      .selectFrom('shares')
      .innerJoin('users', 'users.id', 'shares.user_id')
      .selectAll('shares')
      .select(membersOnlyColumn(config))
      .where('shares.token', '=', arg<string>('token'))
      // Links of a disabled account do not work.
      .where(accountEnabledCondition),
  );
}
