/** What a link opens: the share behind its token, and the photo that it may still show. */

import type { Deps } from '../../deps.ts';
import { UserStatus } from '../../platform/db/states.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import { findAlbumItem } from '../albums/detail.ts';
import type { AlbumItemRow } from '../albums/present.ts';
import type { Viewer } from '../identity/viewer.ts';
import { isSmart } from '../library/albums.ts';
import { canSee } from '../library/permissions.ts';
import { createFindDetail, type PhotoDetailRow } from '../photos/store.ts';
import { isAccessGood, makeAccess } from './access.ts';
import { prepareShare, type SharerRow } from './store.ts';
import { createCountView } from './views.ts';

export type PhotoLink = { share: SharerRow; photo: PhotoDetailRow };
export type AlbumLink = { share: SharerRow; album: AlbumItemRow };
export type Link = PhotoLink | AlbumLink;

export type FindLink = ReturnType<typeof createFindLink>;

const tokenPattern = /^[\w-]{43}$/;
const anonymousId = 0;

/**
 * What it makes throws shareNotFound for whatever shows nothing: unknown, revoked, expired, what it shows gone, or hidden
 * from its sharer.
 */
export function createFindLink(deps: Deps) {
  const findShare = prepareShare(deps);
  const findPhoto = createFindDetail(deps);

  return async (token: string): Promise<Link> => {
    if (!tokenPattern.test(token)) throw errors.shareNotFound();
    const [share] = await findShare({ token });
    if (!share || isExpired(share, deps.clock())) throw errors.shareNotFound();
    if (share.album_id !== null) {
      const album = await findAlbumItem(deps, share.album_id);
      if (album?.owner_status !== UserStatus.enabled || !canSee(sharerOf(share), album))
        throw errors.shareNotFound();
      return { share, album };
    }
    const photo = share.photo_id === null ? undefined : await findPhoto(share.photo_id, anonymousId);
    // A stranger may share what is public; once it is private, that link shows it no longer. Nor any in the trash.
    // Others do not see what a disabled account owns, also not by a link that another user made.
    if (photo?.owner_status !== UserStatus.enabled || !canSee(sharerOf(share), photo))
      throw errors.shareNotFound();
    return { share, photo };
  };
}

function isExpired({ expire_time }: SharerRow, now: number): boolean {
  return expire_time !== null && expire_time <= now;
}

/** The sharer as a viewer: a link shows at most what they see themselves. */
function sharerOf({ user_id, is_admin }: SharerRow): Viewer {
  return { id: user_id, isAdmin: is_admin === 1, sessionId: 0 };
}

/**
 * Whose sight decides what a link of an album shows: the sharer's, who has put each private photo into it. What a rule
 * finds is chosen by no person, and grows: a link shows of it what everybody may see.
 */
export function seerOf({ share, album }: AlbumLink): Viewer | undefined {
  return isSmart(album) ? undefined : sharerOf(share);
}

/** Whether the caller has given the password, or taken a view, within the last hour. */
export function hasAccess({ clock, secret }: Deps, { share }: Link, access: string | undefined): boolean {
  return access !== undefined && isAccessGood(access, share, clock(), secret);
}

/** Whether what the caller holds is enough to see it, or no password is asked for. */
export function isUnlocked(deps: Deps, link: Link, access: string | undefined): boolean {
  return link.share.password_hash === '' || hasAccess(deps, link, access);
}

/** Opens a link for a caller and counts a view, once an hour where there are only so many. */
export function createEnter(deps: Deps) {
  const countView = createCountView(deps);

  /**
   * `isView`: a HEAD is none. Returns the caller's access to a link that has only so many views. Throws sharePassword, or
   * shareNotFound where no view is left.
   */
  return async (link: Link, access: string | undefined, isView: boolean): Promise<string | undefined> => {
    const { share } = link;
    if (!isUnlocked(deps, link, access)) throw errors.sharePassword();
    if (share.max_views === null) {
      if (isView) await countView(share);
      return undefined;
    }
    if (hasAccess(deps, link, access)) return access;
    if (isUsedUp(share)) throw errors.shareNotFound();
    if (!isView) return undefined;
    await countView(share);
    return makeAccess(share, deps.clock(), deps.secret);
  };
}

export function isUsedUp({ max_views, views }: Pick<SharerRow, 'max_views' | 'views'>): boolean {
  return max_views !== null && views >= max_views;
}
