/** Decides about access to the bytes of a photo's image, by the same row as access to its JSON. */

import type { Deps } from '../../deps.ts';
import { prepare } from '../../platform/db/prepared.ts';
import { UserStatus, Visibility } from '../../platform/db/states.ts';
import type { ShareRow } from '../../platform/db/tables.ts';
import type { Viewer } from '../identity/viewer.ts';
import { canSee, isPublic, isTrashed } from '../library/permissions.ts';
import { accountIsEnabled } from '../library/visible.ts';
import { type ReadGrant, shareGrant } from './signatures.ts';

export interface GuardedPhoto {
  photo_id: number;
  user_id: number;
  visibility_now: Visibility;
  owner_status: UserStatus;
}

/** The right by which the bytes are sent. It decides how long they may be cached. */
export type Access =
  | { by: 'everybody'; expires?: number }
  | { by: 'token' }
  | { by: 'cookie' }
  | { by: 'signature'; expires: number };

/** The viewer of the token or the cookie, and what the path's signature grants. Both may be missing. */
export interface Requester {
  viewer: Viewer | undefined;
  grant: ReadGrant | undefined;
}

interface Version {
  /** The photo no longer shows this image: only its owner and admins may have it. */
  isFormer: boolean;
  /** The picture in full size. A share may be for smaller sizes only. */
  isLarge: boolean;
}

/** A signature says who was given a path. Each request decides anew what that person may see. */
export function createFindAccess(deps: Deps) {
  const findHolder = prepareHolder(deps);
  const findShare = prepareShare(deps);

  async function isGrantGood(
    photo: GuardedPhoto,
    { kind, id, text }: ReadGrant,
    { isFormer, isLarge }: Version,
  ): Promise<boolean> {
    if (kind === 'user') {
      const [holder] = await findHolder({ id });
      return holder !== undefined && canSee({ id, isAdmin: holder.is_admin === 1, sessionId: 0 }, photo);
    }
    if (isFormer || photo.owner_status !== UserStatus.enabled) return false;
    const [share] = await findShare({ id, photo_id: photo.photo_id, now: deps.clock() });
    if (!share || shareGrant({ id, ...share }, deps.secret) !== text) return false;
    if (share.allow_download === 0 && isLarge) return false;
    // A stranger may share what is public; once it is private, that link shows it no longer.
    return share.user_id === photo.user_id || share.is_admin === 1;
  }

  /** Only the owner sees the photos in the trash: no admin, no holder of a share. */
  async function trashAccess(photo: GuardedPhoto, { viewer, grant }: Requester): Promise<Access | undefined> {
    if (viewer?.id === photo.user_id) return proofOf(viewer);
    if (grant?.kind !== 'user' || grant.id !== photo.user_id) return undefined;
    const [holder] = await findHolder({ id: grant.id });
    return holder && { by: 'signature', expires: grant.expires };
  }

  return async (
    current: GuardedPhoto,
    requester: Requester,
    version: Version,
  ): Promise<Access | undefined> => {
    if (isTrashed(current)) return trashAccess(current, requester);
    if (isPublic(current) && !version.isFormer) return { by: 'everybody' };
    const photo = { ...current, visibility_now: Visibility.private };
    const { viewer, grant } = requester;
    if (viewer && canSee(viewer, photo)) return proofOf(viewer);
    if (grant && (await isGrantGood(photo, grant, version))) {
      return { by: 'signature', expires: grant.expires };
    }
    return undefined;
  };
}

function proofOf(viewer: Viewer): Access {
  return { by: viewer.hasCookie ? 'cookie' : 'token' };
}

function prepareHolder({ db }: Deps) {
  return prepare<{ is_admin: number }>(db, (query, arg) =>
    query.selectFrom('users').select('is_admin').where('id', '=', arg<number>('id')).where(accountIsEnabled),
  );
}

type GivingShare = Pick<ShareRow, 'user_id' | 'allow_download' | 'password_hash'> & { is_admin: number };

function prepareShare({ db }: Deps) {
  return prepare<GivingShare>(db, (query, arg) =>
    query
      .selectFrom('shares')
      .innerJoin('users', 'users.id', 'shares.user_id')
      .select(['shares.user_id', 'shares.allow_download', 'shares.password_hash', 'users.is_admin'])
      .where('shares.id', '=', arg<number>('id'))
      .where(accountIsEnabled)
      // Of the photo, or of the album that it is in now.
      .where((where) =>
        where.or([
          where('shares.photo_id', '=', arg<number>('photo_id')),
          where('shares.album_id', '=', (album) =>
            album
              .selectFrom('photos')
              .select('photos.album_id')
              .where('photos.id', '=', arg<number>('photo_id')),
          ),
        ]),
      )
      .where((where) =>
        where.or([
          where('shares.expire_time', 'is', null),
          where('shares.expire_time', '>', arg<number>('now')),
        ]),
      ),
  );
}
