/** Decides by the rules of `docs/visibility.md` what each viewer sees of each photo and album. */
import { canChange } from './change-photo.ts';
import { albumLevel, photoLevel } from './levels.ts';
import { done, type ModelAnswer, refusals } from './requests.ts';
import {
  type Album,
  findAlbum,
  findPath,
  isAdmin,
  isEnabled,
  type Level,
  type Name,
  type Photo,
  type State,
  type Viewer,
} from './state.ts';

/** Returns whether lists show something of this effective level and owner to the viewer. */
function isListed(level: Level, owner: Name, viewer: Viewer): boolean {
  return viewer === owner || level === 'public' || (level === 'members' && viewer !== 'stranger');
}

function isPhotoListed(state: State, viewer: Viewer, photo: Photo): boolean {
  return !photo.isTrashed && isListed(photoLevel(state, photo), photo.owner, viewer);
}

function isAlbumListed(state: State, viewer: Viewer, album: Album): boolean {
  return isListed(albumLevel(state, album), album.owner, viewer);
}

/** Returns the refusal of a viewer whose account is disabled, because the account's sessions have ended. */
export function findViewerProblem(state: State, viewer: Viewer): ModelAnswer | undefined {
  return viewer === 'stranger' || isEnabled(state, viewer) ? undefined : refusals.badToken;
}

export function decidePhoto(state: State, viewer: Viewer, label: string): ModelAnswer {
  const photo = state.photos.get(label);
  if (!photo || photo.isTrashed) return refusals.photoNotFound;
  const canSee = isPhotoListed(state, viewer, photo) || isAdmin(state, viewer);
  return canSee ? done : refusals.photoForbidden;
}

/** Returns whether the viewer gets the photo's images. Images in the trash are for the owner alone. */
export function canOpenImage(state: State, viewer: Viewer, label: string): boolean {
  const photo = state.photos.get(label);
  if (photo?.isTrashed) return viewer === photo.owner;
  return decidePhoto(state, viewer, label).code === 0;
}

/** Returns the fields of a photo or an album that tell its own level. */
export function presentLevel({ level }: { level: Level }) {
  return { visibility: level, is_public: Number(level === 'public') };
}

export function decideAlbum(state: State, viewer: Viewer, label: string): ModelAnswer {
  const album = state.albums.get(label);
  if (!album) return refusals.albumNotFound;
  const canSee = isAlbumListed(state, viewer, album) || canChange(state, viewer, album);
  return canSee ? done : refusals.albumForbidden;
}

/** Returns the photos that lists show to the viewer, newest first. */
export function listPhotos(state: State, viewer: Viewer): Photo[] {
  return [...state.photos.values()].filter((photo) => isPhotoListed(state, viewer, photo)).reverse();
}

export function listAlbums(state: State, viewer: Viewer): Album[] {
  return [...state.albums.values()].filter((album) => isAlbumListed(state, viewer, album));
}

/** Returns the photos that the viewer finds in an open album. An admin finds all photos outside the trash. */
export function listPhotosIn(state: State, viewer: Viewer, { label }: Album): Photo[] {
  return listOpen(state, viewer).filter(({ album }) => album === label);
}

/** Returns the photos of the album and of all albums inside from which the viewer's cover is chosen. */
export function listPhotosBelow(state: State, viewer: Viewer, album: Album): Photo[] {
  return listOpen(state, viewer).filter((photo) =>
    findPath(state, findAlbum(state, photo.album)).includes(album),
  );
}

/** Returns the albums that the viewer finds in an open album. An admin finds all of them. */
export function listAlbumsIn(state: State, viewer: Viewer, { label }: Album): Album[] {
  const albums = isAdmin(state, viewer) ? [...state.albums.values()] : listAlbums(state, viewer);
  return albums.filter(({ parent }) => parent === label);
}

function listOpen(state: State, viewer: Viewer): Photo[] {
  return isAdmin(state, viewer) ? listAllPhotos(state) : listPhotos(state, viewer);
}

/** Returns all photos outside the trash, for the admin list. */
export function listAllPhotos({ photos }: State): Photo[] {
  return [...photos.values()].filter(({ isTrashed }) => !isTrashed).reverse();
}

export function listTrash({ photos }: State, viewer: Viewer): Photo[] {
  return [...photos.values()].filter(({ owner, isTrashed }) => owner === viewer && isTrashed);
}
