/** Decides about access to the bytes of a photo's image by the same row that decides about access to its JSON. */

import { type ExpressionBuilder, type Nullable, sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import { type BindArgument, prepareRead } from '../../platform/db/prepared.ts';
import { UserStatus, Visibility, type VisibilityOutsideTrash } from '../../platform/db/states.ts';
import type { ShareRow, Tables } from '../../platform/db/tables.ts';
import type { Viewer } from '../identity/viewer.ts';
import { canSee, isPublic, isTrashed } from '../library/permissions.ts';
import { accountEnabledCondition } from '../library/visibility-sql.ts';
import { recordAdminLook } from '../moderation/admin-looks.ts';
import { createFindInnerAccess } from './inner-shares.ts';
import { createShareGrant, type ParsedPathGrant } from './signatures.ts';

export interface PhotoAccessRow {
  photo_id: number;
  user_id: number;
  visibility_now: Visibility;
  owner_status: UserStatus;
  /** 1 if the gallery is for members only, so that public photos are not for everyone. */
  members_only: number;
}

/**
 * Reason for which the bytes of an image may be sent. The reason decides how long clients and proxies can cache the
 * bytes.
 */
export type ImageAccessReason =
  | { by: 'everybody'; expires?: number }
  | { by: 'token' }
  | { by: 'cookie' }
  | { by: 'signature'; expires: number };

/**
 * Requester of an image: the viewer identified by token or cookie, and the grant in the path's signature. Both may
 * be missing.
 */
export interface ImageRequester {
  viewer: Viewer | undefined;
  grant: ParsedPathGrant | undefined;
}

interface ImageVersion {
  /** Whether an edit has replaced this image. Only the owner and admins can see a replaced image. */
  isFormer: boolean;
  /** Whether the image is the picture in full size. A share may allow only smaller sizes. */
  isLarge: boolean;
}

/**
 * Returns a function that decides about access to an image. A signature proves only who received the path, so each
 * request checks again what that person can see.
 */
export function createFindImageAccess(deps: Deps) {
  const findHolder = prepareHolder(deps);
  const findShare = prepareShare(deps);
  const findInnerAccess = createFindInnerAccess(deps);

  async function isGrantValid(
    photo: PhotoAccessRow,
    { kind, id, text }: ParsedPathGrant,
    { isFormer, isLarge }: ImageVersion,
  ): Promise<boolean> {
    if (kind === 'user') {
      const [holder] = await findHolder({ id });
      if (!holder) return false;
      const reader = { id, isAdmin: holder.is_admin === 1, sessionId: 0 };
      if (!canSee(reader, photo)) return false;
      recordAdminLook(deps, reader, photo);
      return true;
    }
    if (isFormer || photo.owner_status !== UserStatus.enabled) return false;
    const [share] = await findShare({ id, photo_id: photo.photo_id, now: deps.clock() });
    if (!share || createShareGrant({ id, ...share }, deps.secret) !== text) return false;
    if (share.allow_download === 0 && isLarge) return false;
    const shown = await findShownPhotos(photo, share);
    if (shown === undefined) return false;
    // Any user can share a public photo. When the photo is no longer public, only shares by its owner still show it. Shares
    // of smart albums show only public photos.
    return isPublic(photo) || (share.user_id === photo.user_id && shown === 'any');
  }

  /** Returns whether the share shows the photo in any case, only while it is public, or not at all. */
  async function findShownPhotos(
    { photo_id }: PhotoAccessRow,
    { is_direct, album_id, album_visibility, album_rule }: GrantingShare,
  ): Promise<'any' | 'public' | undefined> {
    if (is_direct === 1) return album_rule === null ? 'any' : 'public';
    if (album_id === null || album_visibility === null) return undefined;
    return findInnerAccess({ photo_id, album_id, visibility: album_visibility });
  }

  /** Returns the access to a photo in the trash. Only its owner has access, not admins or holders of a share. */
  async function trashAccess(
    photo: PhotoAccessRow,
    { viewer, grant }: ImageRequester,
  ): Promise<ImageAccessReason | undefined> {
    if (viewer?.id === photo.user_id) return viewerAccess(viewer);
    if (grant?.kind !== 'user' || grant.id !== photo.user_id) return undefined;
    const [holder] = await findHolder({ id: grant.id });
    return holder && { by: 'signature', expires: grant.expires };
  }

  return async (
    current: PhotoAccessRow,
    requester: ImageRequester,
    version: ImageVersion,
  ): Promise<ImageAccessReason | undefined> => {
    if (isTrashed(current)) return trashAccess(current, requester);
    if (isPhotoForEveryone(current) && !version.isFormer) return { by: 'everybody' };
    const photo = version.isFormer ? { ...current, visibility_now: Visibility.private } : current;
    const { viewer, grant } = requester;
    if (viewer && canSee(viewer, photo)) {
      recordAdminLook(deps, viewer, photo);
      return viewerAccess(viewer);
    }
    if (grant && (await isGrantValid(photo, grant, version))) {
      return { by: 'signature', expires: grant.expires };
    }
    return undefined;
  };
}

/** Returns whether everyone can see the photo, also without signing in. */
export function isPhotoForEveryone(photo: Pick<PhotoAccessRow, 'visibility_now' | 'members_only'>): boolean {
  return isPublic(photo) && photo.members_only === 0;
}

/**
 * Returns a function that decides about access to an avatar in a gallery for members. Members have access, and so have
 * holders of a link that shows the avatar's owner.
 */
export function createFindAvatarAccess(deps: Deps) {
  const findHolder = prepareHolder(deps);
  const findShare = prepareOpenShare(deps);

  async function isGrantValid({ kind, id, text }: ParsedPathGrant): Promise<boolean> {
    if (kind === 'user') return (await findHolder({ id })).length > 0;
    const [share] = await findShare({ id, now: deps.clock() });
    return share !== undefined && createShareGrant({ id, ...share }, deps.secret) === text;
  }

  return async ({ viewer, grant }: ImageRequester): Promise<ImageAccessReason | undefined> => {
    if (viewer) return viewerAccess(viewer);
    if (!grant || !(await isGrantValid(grant))) return undefined;
    return { by: 'signature', expires: grant.expires };
  };
}

function viewerAccess(viewer: Viewer): ImageAccessReason {
  return { by: viewer.hasCookie ? 'cookie' : 'token' };
}

function prepareHolder({ db }: Deps) {
  return prepareRead<{ is_admin: number }>(db, (query, arg) =>
    query
      .selectFrom('users')
      .select('is_admin')
      .where('id', '=', arg<number>('id'))
      .where(accountEnabledCondition),
  );
}

function prepareOpenShare({ db }: Deps) {
  return prepareRead<Pick<ShareRow, 'password_hash'>>(db, (query, arg) =>
    query
      .selectFrom('shares')
      .innerJoin('users', 'users.id', 'shares.user_id')
      .select('shares.password_hash')
      .where('shares.id', '=', arg<number>('id'))
      .where(accountEnabledCondition)
      .where((where) =>
        where.or([
          where('shares.expire_time', 'is', null),
          where('shares.expire_time', '>', arg<number>('now')),
        ]),
      ),
  );
}

/** `album_rule` is null unless a smart album is shared. */
type GrantingShare = Pick<ShareRow, 'user_id' | 'allow_download' | 'password_hash' | 'album_id'> & {
  album_rule: string | null;
  album_visibility: VisibilityOutsideTrash | null;
  /** 1 if the share is of the photo itself, of an album that contains the photo, or of a smart album of its owner. */
  is_direct: number;
};

function prepareShare({ db }: Deps) {
  return prepareRead<GrantingShare>(db, (query, arg) =>
    query
      .selectFrom('shares')
      .innerJoin('users', 'users.id', 'shares.user_id')
      .select(['shares.user_id', 'shares.allow_download', 'shares.password_hash', 'shares.album_id'])
      .where('shares.id', '=', arg<number>('id'))
      .where(accountEnabledCondition)
      .leftJoin('albums', 'albums.id', 'shares.album_id')
      .select(['albums.rule as album_rule', 'albums.visibility as album_visibility'])
      // A share of an album that is not public is valid only if the album's owner created it.
      .where((where) =>
        where.or([
          where('shares.photo_id', '=', arg<number>('photo_id')),
          where('albums.visibility', '=', Visibility.public),
          where('albums.user_id', '=', where.ref('shares.user_id')),
        ]),
      )
      .select((is) =>
        is.case().when(isDirect(is, arg)).then(sql.lit(1)).else(sql.lit(0)).end().as('is_direct'),
      )
      .where((where) =>
        where.or([
          where('shares.expire_time', 'is', null),
          where('shares.expire_time', '>', arg<number>('now')),
        ]),
      ),
  );
}

type ShareQuery = ExpressionBuilder<Tables & { albums: Nullable<Tables['albums']> }, 'shares' | 'albums'>;

/** Returns the condition that the share shows the photo by itself, and not through an album inside the shared album. */
function isDirect(is: ShareQuery, arg: BindArgument) {
  return is.or([
    is('shares.photo_id', '=', arg<number>('photo_id')),
    is.exists(
      is
        .selectFrom('album_photos')
        .select('album_photos.photo_id')
        .whereRef('album_photos.album_id', '=', 'albums.id')
        .where('album_photos.photo_id', '=', arg<number>('photo_id')),
    ),
    is.and([
      is('albums.rule', 'is not', null),
      is('albums.user_id', '=', (owners) =>
        owners.selectFrom('photos').select('photos.user_id').where('id', '=', arg<number>('photo_id')),
      ),
    ]),
  ]);
}
