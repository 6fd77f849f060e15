/** Converts shares to JSON. The fields are listed explicitly, so that no secret column appears. */

import type { Deps } from '../../deps.ts';
import type { ShareRow } from '../../platform/db/tables.ts';
import { timeText } from '../../platform/http/time.ts';
import { renderQrCode } from '../../platform/imaging/qr-code.ts';
import { type AlbumCover, findCovers } from '../albums/covers.ts';
import { findSmartAlbumFigures } from '../albums/figures.ts';
import { createViewerPathSigner, thumbPath } from '../delivery/paths.ts';
import { createPathSigner, createShareGrant, type PathSigner } from '../delivery/signatures.ts';
import type { Viewer } from '../identity/viewer.ts';
import { canSee, isPublic, withoutAdminRights } from '../library/permissions.ts';
import { presentPhoto } from '../photos/present.ts';
import type { Photo } from '../photos/schema.ts';
import type { PhotoShareLink } from './open.ts';
import type { Share } from './schema.ts';
import { type ShareItemRow, type ShareWithOwnerRow, selectSharedAlbums } from './store.ts';

export function shareUrl(baseUrl: string, { token }: { token: string }): string {
  return `${baseUrl}/s/${token}`;
}

export async function presentNewShare(share: ShareRow, baseUrl: string) {
  const url = shareUrl(baseUrl, share);
  return { id: share.id, url, qrcode: await renderQrCode(url) };
}

/** Returns the covers of the shared albums that the viewer can see, by album id. */
export async function findSharedAlbumCovers(deps: Deps, viewer: Viewer, rows: ShareItemRow[]) {
  const albums = selectSharedAlbums(rows);
  return findCovers(deps, viewer, albums, await findSmartAlbumFigures(deps, viewer, albums));
}

/** A share's row with the cover of its album, if the viewer can see that cover. */
type CoveredShare = ShareItemRow & { cover: AlbumCover | undefined };

export function presentShare(deps: Deps, viewer: Viewer, row: CoveredShare, baseUrl: string): Share {
  return {
    id: row.id,
    type: row.type as Share['type'],
    url: shareUrl(baseUrl, row),
    target: presentTarget(deps, viewer, row),
    views: row.views,
    downloads: row.downloads,
    last_view_time: row.last_view_time === null ? '' : timeText(row.last_view_time),
    allow_download: row.allow_download === 1,
    max_views: row.max_views,
    expire_time: row.expire_time === null ? '' : timeText(row.expire_time),
    has_password: row.password_hash !== '',
    create_time: timeText(row.create_time),
  };
}

/**
 * Returns the shared photo or album with its title and thumbnail. Title and thumbnail are empty if the viewer can no
 * longer see the photo or album.
 */
function presentTarget(deps: Deps, viewer: Viewer, row: CoveredShare): Share['target'] {
  if (row.album_id !== null) return presentAlbumTarget(deps, viewer, row, row.album_id);
  const id = row.photo_id ?? 0;
  const { title, image_key, visibility_now, owner_id } = row;
  if (title === null || image_key === null || visibility_now === null || owner_id === null) {
    return { id, title: '', thumb: '' };
  }
  if (!canSee(withoutAdminRights(viewer), { user_id: owner_id, visibility_now }))
    return { id, title: '', thumb: '' };
  return { id, title, thumb: thumbPath({ image_key, visibility_now }, createViewerPathSigner(deps, viewer)) };
}

function presentAlbumTarget(deps: Deps, viewer: Viewer, row: CoveredShare, id: number): Share['target'] {
  const { album_name, album_visibility_now: visibility_now, album_owner, cover } = row;
  if (album_name === null || visibility_now === null || album_owner === null) {
    return { id, title: '', thumb: '' };
  }
  if (!canSee(withoutAdminRights(viewer), { user_id: album_owner, visibility_now }))
    return { id, title: '', thumb: '' };
  return {
    id,
    title: album_name,
    thumb: cover ? thumbPath(cover, createViewerPathSigner(deps, viewer)) : '',
  };
}

/** Creates the signer of the image paths that a link returns. */
export function createSharePathSigner(deps: Deps, share: ShareWithOwnerRow): PathSigner {
  return createPathSigner(deps, createShareGrant(share, deps.secret), share.members_only === 1);
}

/**
 * Converts a shared photo to JSON. The image paths work as long as the share exists. The albums are hidden, except
 * public ones of a public photo in a gallery that is open to everyone.
 */
export function presentSharedPhoto(deps: Deps, { share, photo }: PhotoShareLink): Photo {
  const signer = createSharePathSigner(deps, share);
  const shown = presentPhoto(photo, undefined, signer);
  if (share.allow_download === 0) shown.path = shown.preview;
  const isOpen = isPublic(photo) && share.members_only === 0;
  return isOpen ? shown : { ...shown, album: null, albums: [] };
}
