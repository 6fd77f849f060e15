/** The photos that albums contain, by `docs/visibility.md`. */
import { placedLevel } from './levels.ts';
import { type Album, findAlbum, findPath, listAlbumsWith, type Photo, type State } from './state.ts';

/** Appends the photo, unless the album already contains it. */
export function append(album: Album, photo: string): void {
  if (!album.photos.includes(photo)) album.photos.push(photo);
}

export function removeFrom(album: Album, photo: string): void {
  album.photos = album.photos.filter((label) => label !== photo);
}

/** Makes the album the main album, and takes the photo out of the previous one. The level stays. */
export function changeMainAlbum(state: State, photo: Photo, target: string | undefined): void {
  const [previous, next] = [findAlbum(state, photo.mainAlbum), findAlbum(state, target)];
  if (previous && previous !== next) removeFrom(previous, photo.label);
  if (next) append(next, photo.label);
  photo.mainAlbum = target;
}

/** Makes the album the main album. A photo that leaves another one keeps the level that counted there. */
export function moveTo(state: State, photo: Photo, target: string | undefined): void {
  if (photo.mainAlbum !== target) photo.level = placedLevel(state, photo);
  changeMainAlbum(state, photo, target);
}

/** Returns whether the photo is in the album or in one inside. */
export function isBelow(state: State, album: Album, photo: string): boolean {
  return listAlbumsWith(state, photo).some((one) => findPath(state, one).includes(album));
}

/** Clears chosen covers that have left their album and the albums inside. */
export function clearLostCovers(state: State): void {
  for (const album of state.albums.values()) {
    if (album.cover !== undefined && !isBelow(state, album, album.cover)) album.cover = undefined;
  }
}

/** Deletes a photo permanently. */
export function erasePhoto(state: State, photo: string): void {
  for (const album of state.albums.values()) removeFrom(album, photo);
  state.photos.delete(photo);
}

/** Deletes an album with its references and links. */
export function eraseAlbum(state: State, label: string): void {
  for (const share of [...state.shares.values()]) {
    if (share.album === label) state.shares.delete(share.label);
  }
  state.albums.delete(label);
}
