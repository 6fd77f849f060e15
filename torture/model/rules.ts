/** The rules of the specification as plain code. visible-rows.ts derives lists and statistics from them. */
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

/** Returns whether an album is public: its own flag, all albums above, and an enabled owner. */
export function isAlbumPublic(rows: Rows, album: Album): boolean {
  const parent = findAlbum(rows, album.parent);
  return album.isPublic && isEnabled(rows, album.owner) && (!parent || isAlbumPublic(rows, parent));
}

export function isPhotoPublic(rows: Rows, photo: Photo): boolean {
  const album = findAlbum(rows, photo.album);
  return (
    !photo.isTrashed &&
    photo.isPublic &&
    isEnabled(rows, photo.owner) &&
    (!album || isAlbumPublic(rows, album))
  );
}

export function seesPhoto(rows: Rows, viewer: Visitor, photo: Photo): boolean {
  return isPhotoPublic(rows, photo) || (!photo.isTrashed && mayManage(viewer, photo));
}

export function seesAlbum(rows: Rows, viewer: Visitor, album: Album): boolean {
  return isAlbumPublic(rows, album) || mayManage(viewer, album);
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
  return photo !== undefined && isEnabled(rows, photo.owner) && seesPhoto(rows, share.owner, photo);
}
