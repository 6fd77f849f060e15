/** Finds the share of a link and the photo or album that the link may show. */

import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { UserStatus } from '../../platform/db/states.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import { isReadByPerson } from '../../platform/http/preview-agents.ts';
import { findAlbumItemRow } from '../albums/detail.ts';
import type { AlbumItemRow } from '../albums/present.ts';
import type { Viewer } from '../identity/viewer.ts';
import { isSmartAlbum } from '../library/albums.ts';
import { canShowByShareLink } from '../library/permissions.ts';
import { createFindPhotoDetail, type PhotoDetailRow } from '../photos/store.ts';
import { createShareAccess, isShareAccessValid } from './access.ts';
import { prepareFindShare, type ShareWithOwnerRow } from './store.ts';
import { createCountShareView } from './views.ts';

export type PhotoShareLink = { share: ShareWithOwnerRow; photo: PhotoDetailRow };
export type AlbumShareLink = { share: ShareWithOwnerRow; album: AlbumItemRow };
export type ShareLink = PhotoShareLink | AlbumShareLink;

export type FindShareLink = ReturnType<typeof createFindShareLink>;

const tokenPattern = /^[\w-]{43}$/;
const anonymousId = 0;

/**
 * Returns the function that finds a link. The function throws shareNotFound for an unknown, revoked or expired link.
 * The same error follows if the shared photo or album was deleted, or is hidden from the creator of the link.
 */
export function createFindShareLink(deps: Deps) {
  const findShare = prepareFindShare(deps);
  const findPhoto = createFindPhotoDetail(deps);

  return async (token: string): Promise<ShareLink> => {
    if (!tokenPattern.test(token)) throw errors.shareNotFound();
    const [share] = await findShare({ token });
    if (!share || isExpired(share, deps.clock())) throw errors.shareNotFound();
    if (share.album_id !== null) {
      const album = await findAlbumItemRow(deps, share.album_id);
      if (album?.owner_status !== UserStatus.enabled || !canShowByShareLink(sharerAsViewer(share), album))
        throw errors.shareNotFound();
      return { share, album };
    }
    const photo = share.photo_id === null ? undefined : await findPhoto(share.photo_id, anonymousId);
    // Any user can share a public photo, but the link stops working when the photo stops being public or is moved to the
    // trash. Photos of disabled accounts are hidden, also through links that other users created.
    if (photo?.owner_status !== UserStatus.enabled || !canShowByShareLink(sharerAsViewer(share), photo))
      throw errors.shareNotFound();
    return { share, photo };
  };
}

function isExpired({ expire_time }: ShareWithOwnerRow, now: number): boolean {
  return expire_time !== null && expire_time <= now;
}

/** Returns the creator of a link as a viewer. A link lends no rights of an admin. */
function sharerAsViewer({ user_id }: ShareWithOwnerRow): Viewer {
  return { id: user_id, isAdmin: false, sessionId: 0 };
}

/**
 * Returns the viewer whose rights decide which photos of an album a link shows: the album's owner for the owner's own
 * link. Links of other users show only public photos. Links of smart albums do the same, because such an album can
 * grow without its owner noticing.
 */
export function chooseDecidingViewer({ share, album }: AlbumShareLink): Viewer | undefined {
  return isSmartAlbum(album) || share.user_id !== album.user_id ? undefined : sharerAsViewer(share);
}

/** Returns true if the caller has a valid access token of this share. */
export function hasShareAccess(
  { clock, secret }: Deps,
  { share }: ShareLink,
  access: string | undefined,
): boolean {
  return access !== undefined && isShareAccessValid(access, share, clock(), secret);
}

/** Returns true if the share has no password or the caller has a valid access token. */
export function isShareUnlocked(deps: Deps, link: ShareLink, access: string | undefined): boolean {
  return link.share.password_hash === '' || hasShareAccess(deps, link, access);
}

/**
 * Way to open a link. A `check` sends no content and counts nothing. A `limited` view counts only if the link has
 * limited views: the visitor goes on to an inner album, or a program reads the link. A client can pretend both.
 */
export type ShareOpening = 'view' | 'limited' | 'check';

/** Returns the way in which a request opens a link. `albumId` names an inner album. */
export function readShareOpening(request: FastifyRequest, albumId?: number): ShareOpening {
  if (request.method !== 'GET') return 'check';
  return isReadByPerson(request) && albumId === undefined ? 'view' : 'limited';
}

/**
 * Returns the function that opens a link and counts a view. Links with limited views count one view per hour and
 * caller.
 */
export function createOpenShareLink(deps: Deps) {
  const countView = createCountShareView(deps);

  /**
   * Opens a link. Returns an access token if the link has limited views. Throws sharePassword without a valid token, or
   * shareNotFound if no views are left.
   */
  return async (
    link: ShareLink,
    access: string | undefined,
    opening: ShareOpening,
  ): Promise<string | undefined> => {
    const { share } = link;
    if (!isShareUnlocked(deps, link, access)) throw errors.sharePassword();
    if (share.max_views === null) {
      if (opening === 'view') await countView(share);
      return undefined;
    }
    if (hasShareAccess(deps, link, access)) return access;
    if (isViewLimitReached(share)) throw errors.shareNotFound();
    if (opening === 'check') return undefined;
    await countView(share);
    return createShareAccess(share, deps.clock(), deps.secret);
  };
}

export function isViewLimitReached({
  max_views,
  views,
}: Pick<ShareWithOwnerRow, 'max_views' | 'views'>): boolean {
  return max_views !== null && views >= max_views;
}
