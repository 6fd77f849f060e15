/** SQL of the shares. */

import type { Deps } from '../../deps.ts';
import { type Prepared, prepare } from '../../platform/db/prepared.ts';
import { countOf } from '../../platform/db/rows.ts';
import type { Visibility } from '../../platform/db/states.ts';
import type { ShareRow } from '../../platform/db/tables.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import type { Window } from '../../platform/http/pagination.ts';
import type { CoveredAlbum } from '../albums/covers.ts';
import type { Viewer } from '../identity/viewer.ts';
import { accountIsEnabled, albumVisibilityNow, visibilityNow } from '../library/visible.ts';
import { auditIfOthers } from '../moderation/audit.ts';

/** A share and, of the photo or album, what the list shows; null where there is none. */
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

/** What covers are looked up by. */
export function albumsOf(rows: ShareItemRow[]): CoveredAlbum[] {
  const byId = new Map(rows.map((row) => [row.album_id, row]));
  return [...byId].flatMap(([id, { album_owner, album_cover, album_rule }]) =>
    id === null || album_owner === null
      ? []
      : { id, user_id: album_owner, cover_id: album_cover, rule: album_rule },
  );
}

/** A user's shares, newest first, the expired ones included: they are there to be deleted. */
export function listShares(deps: Deps, userId: number, { limit, offset }: Window): Promise<ShareItemRow[]> {
  return shareItems(deps)
    .where('shares.user_id', '=', userId)
    .orderBy('shares.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
}

/** Throws shareNotFound: it may be revoked at any time. */
export function getShareItem(deps: Deps, id: number): Promise<ShareItemRow> {
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
    .select([visibilityNow, albumVisibilityNow('album_visibility_now')])
    .select(['albums.name as album_name', 'albums.user_id as album_owner', 'albums.cover_id as album_cover'])
    .select('albums.rule as album_rule')
    .select(['photos.title', 'photos.image_key', 'photos.user_id as owner_id']);
}

export function countShares({ db }: Deps, userId: number): Promise<number> {
  return countOf(db.kysely.selectFrom('shares').where('user_id', '=', userId));
}

/** Revokes a share at once. Throws shareNotFound when there is none, forbidden when it is another user's. */
export async function deleteShare(deps: Deps, viewer: Viewer, id: number): Promise<void> {
  await deps.db.kysely.transaction().execute(async (transaction) => {
    const share = await getOwnShare(viewer, transaction, id);
    await transaction.deleteFrom('shares').where('id', '=', id).execute();
    await auditIfOthers(deps, transaction, viewer, share, {
      action: 'share.delete',
      target: { type: 'share', id, name: share.type },
    });
  });
}

/** Throws shareNotFound when there is none, forbidden when it is another user's. */
export async function getOwnShare(viewer: Viewer, kysely: Deps['db']['kysely'], id: number) {
  const share = await kysely
    .selectFrom('shares')
    .select(['user_id', 'type'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!share) throw errors.shareNotFound();
  if (share.user_id !== viewer.id && !viewer.isAdmin) throw errors.forbidden();
  return share;
}

/** A share and whether its maker is an admin: what decides over what it may show. */
export interface SharerRow extends ShareRow {
  is_admin: number;
}

export function prepareShare({ db }: Deps): Prepared<SharerRow> {
  return prepare<SharerRow>(db, (query, arg) =>
    query
      .selectFrom('shares')
      .innerJoin('users', 'users.id', 'shares.user_id')
      .selectAll('shares')
      .select('users.is_admin')
      .where('shares.token', '=', arg<string>('token'))
      // With the account, its links are gone.
      .where(accountIsEnabled),
  );
}
