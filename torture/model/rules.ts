/** The rules of the specification as plain code. visible-rows.ts derives lists and statistics from them. */
import { narrowest } from '../../test/support/visibility-model/levels.ts';
import type { Level } from '../../test/support/visibility-model/state.ts';
import type { Album, Comment, Name, Photo, Rows, Share, Visitor } from './rows.ts';

/** Maximum depth of nested albums. */
export const maxLevels = 8;

export function isAdmin(viewer: Visitor): boolean {
  return viewer === 'root';
}

/** Returns whether the viewer is the owner or an admin. */
export function mayManage(viewer: Visitor, { owner }: { owner: Name }): boolean {
  return viewer === owner || isAdmin(viewer);
}

export function isEnabled(rows: Rows, name: Name): boolean {
  return rows.accounts.get(name)?.isEnabled ?? false;
}

export function findAlbum(rows: Rows, label: string | undefined): Album | undefined {
  return label === undefined ? undefined : rows.albums.get(label);
}

/** Returns the narrowest level of an album and all albums above, whether the owner is enabled or not. */
export function lineLevel(rows: Rows, album: Album | undefined): Level {
  return narrowest(...pathTo(rows, album).map(({ level }) => level));
}

/** Returns the level that a photo keeps when the photo leaves its album. */
export function placedLevel(rows: Rows, photo: Photo): Level {
  return narrowest(photo.level, lineLevel(rows, findAlbum(rows, photo.album)));
}

/** Returns the effective level of an album. */
export function albumLevel(rows: Rows, album: Album): Level {
  return isEnabled(rows, album.owner) ? lineLevel(rows, album) : 'private';
}

/** Returns the effective level of a photo outside the trash. */
export function photoLevel(rows: Rows, photo: Photo): Level {
  return isEnabled(rows, photo.owner) ? placedLevel(rows, photo) : 'private';
}

/** Returns whether lists show something of this effective level to the viewer. Admins have no other lists. */
function isListed(level: Level, owner: Name, viewer: Visitor): boolean {
  return viewer === owner || level === 'public' || (level === 'members' && viewer !== 'nobody');
}

export function isPhotoListed(rows: Rows, viewer: Visitor, photo: Photo): boolean {
  return !photo.isTrashed && isListed(photoLevel(rows, photo), photo.owner, viewer);
}

export function isAlbumListed(rows: Rows, viewer: Visitor, album: Album): boolean {
  return isListed(albumLevel(rows, album), album.owner, viewer);
}

export function seesPhoto(rows: Rows, viewer: Visitor, photo: Photo): boolean {
  return isPhotoListed(rows, viewer, photo) || (!photo.isTrashed && mayManage(viewer, photo));
}

export function seesAlbum(rows: Rows, viewer: Visitor, album: Album): boolean {
  return isAlbumListed(rows, viewer, album) || mayManage(viewer, album);
}

/** Returns whether a link of this person shows the photo: the owner, an admin, or anybody for a public photo. */
export function canSharePhoto(rows: Rows, by: Visitor, photo: Photo): boolean {
  return !photo.isTrashed && (mayManage(by, photo) || photoLevel(rows, photo) === 'public');
}

/**
 * Returns whether the viewer sees an account. A disabled account is visible to itself and admins, a deleted
 * one to nobody.
 */
export function seesAccount(rows: Rows, viewer: Visitor, name: Name): boolean {
  return isEnabled(rows, name) || (rows.accounts.has(name) && (viewer === name || isAdmin(viewer)));
}

/** Returns the albums from the top level down to the album itself. */
export function pathTo(rows: Rows, album: Album | undefined): Album[] {
  return album ? [...pathTo(rows, findAlbum(rows, album.parent)), album] : [];
}

export function isInside(rows: Rows, album: Album | undefined, other: Album): boolean {
  return pathTo(rows, album).includes(other);
}

/** Clears covers that are no longer photos of the album or its sub-albums. */
export function clearCovers(rows: Rows): void {
  for (const album of rows.albums.values()) {
    const photo = album.cover === undefined ? undefined : rows.photos.get(album.cover);
    if (!photo || !isInside(rows, findAlbum(rows, photo.album), album)) album.cover = undefined;
  }
}

/** Returns the number of album levels from this album down. */
export function computeHeight(rows: Rows, album: Album): number {
  const inside = [...rows.albums.values()].filter(({ parent }) => parent === album.label);
  return 1 + Math.max(0, ...inside.map((child) => computeHeight(rows, child)));
}

export function mayChangeComment(viewer: Visitor, comment: Comment): boolean {
  return viewer === comment.author || isAdmin(viewer);
}

/**
 * Returns whether a link shows anything: what its owner sees, unless link owner or target owner is disabled
 * or the link has expired.
 */
export function showsSomething(rows: Rows, share: Share): boolean {
  if (share.expires !== undefined && rows.day >= share.expires) return false;
  if (!isEnabled(rows, share.owner)) return false;
  if (share.kind === 'album') {
    const album = rows.albums.get(share.target);
    return album !== undefined && isEnabled(rows, album.owner) && seesAlbum(rows, share.owner, album);
  }
  const photo = rows.photos.get(share.target);
  return photo !== undefined && isEnabled(rows, photo.owner) && canSharePhoto(rows, share.owner, photo);
}
