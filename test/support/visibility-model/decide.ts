/** Decides by the rules of `docs/visibility.md` what each viewer sees of each photo and album. */
import { canChange } from './change-photo.ts';
import { albumLevel, photoLevel } from './levels.ts';
import { done, type ModelAnswer, refusals } from './requests.ts';
import {
  type Album,
  findPath,
  isAdmin,
  isEnabled,
  type Level,
  listAlbumsWith,
  type Name,
  type Photo,
  type Share,
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

/** Returns the listed photos of the accounts that the viewer follows. */
export function listFeed(state: State, viewer: Viewer): Photo[] {
  const { follows = [] } = (viewer !== 'stranger' && state.accounts.get(viewer)) || {};
  return listPhotos(state, viewer).filter(({ owner }) => follows.includes(owner));
}

export function listAlbums(state: State, viewer: Viewer): Album[] {
  return [...state.albums.values()].filter((album) => isAlbumListed(state, viewer, album));
}

/** The rights that count. The lists of an admin follow those of a member. */
export type Rights = 'viewer' | 'member';

/**
 * Returns the photos that the viewer finds in an album, in the order of the album. An admin who opens it finds
 * all photos outside the trash. A smart album shows those of its owner, newest first.
 */
export function listPhotosIn(state: State, viewer: Viewer, album: Album, rights: Rights = 'viewer'): Photo[] {
  const all = rights === 'viewer' ? listOpen(state, viewer) : listPhotos(state, viewer);
  if (album.isSmart) return all.filter(({ owner }) => owner === album.owner);
  return album.photos.map((label) => state.photos.get(label)!).filter((photo) => all.includes(photo));
}

/** Returns each of the photos once, newest first. */
export function listNewest(state: State, photos: Photo[]): Photo[] {
  return listAllPhotos(state).filter((photo) => photos.includes(photo));
}

/** Returns the photos that `album:` finds. An album that the viewer's lists do not show finds none. */
export function searchAlbum(state: State, viewer: Viewer, label: string): Photo[] {
  const album = listAlbums(state, viewer).find((one) => one.label === label);
  return album ? listNewest(state, listPhotosIn(state, viewer, album, 'member')) : [];
}

/** Returns the photos in no album that the viewer's lists show. */
export function listLoosePhotos(state: State, viewer: Viewer): Photo[] {
  const albums = listAlbums(state, viewer);
  const isInAlbum = ({ label }: Photo) => albums.some(({ photos }) => photos.includes(label));
  return listPhotos(state, viewer).filter((photo) => !isInAlbum(photo));
}

/**
 * Returns the photos from which the viewer's cover is chosen, newest first. They are in the album, or in an album
 * inside that the viewer can see.
 */
export function listCovers(state: State, viewer: Viewer, album: Album, rights: Rights = 'viewer'): Photo[] {
  const isOpenToAdmin = rights === 'viewer' && isAdmin(state, viewer);
  const albums = isOpenToAdmin ? [...state.albums.values()] : listAlbums(state, viewer);
  const inner = albums.filter((one) => one !== album && findPath(state, one).includes(album));
  const holders = [album, ...inner.filter(({ isSmart }) => !isSmart)];
  return listNewest(
    state,
    holders.flatMap((one) => listPhotosIn(state, viewer, one, rights)),
  );
}

/** Returns the cover among these photos: the chosen one, the newest in the album itself, or the newest inside. */
export function findCover({ cover, photos: own }: Album, photos: Photo[]): Photo | undefined {
  const chosen = photos.find(({ label }) => label === cover);
  return chosen ?? photos.find(({ label }) => own.includes(label)) ?? photos[0];
}

/** Returns the albums that contain the photo and that the viewer can see. */
export function listAlbumsFor(state: State, viewer: Viewer, { label, mainAlbum }: Photo) {
  return listAlbumsWith(state, label)
    .filter((album) => decideAlbum(state, viewer, album.label).code === 0)
    .map((album) => ({ name: album.label, as: album.label === mainAlbum ? 'main' : 'reference' }));
}

/**
 * Returns the refusal of a share link. The link ends with its album, and while its creator is disabled. A link of
 * somebody else than the owner ends while the album is not public.
 */
export function decideShare(state: State, label: string): ModelAnswer {
  const share = state.shares.get(label);
  if (!share || !isEnabled(state, share.by)) return refusals.shareNotFound;
  const album = state.albums.get(share.album)!;
  const isShown = share.by === album.owner || albumLevel(state, album) === 'public';
  return isShown ? done : refusals.shareNotFound;
}

/**
 * Returns the photos that a link shows: those in the album outside the trash. A smart album and a link of somebody
 * else than the owner show the public ones.
 */
export function listShared(state: State, { by, album: label }: Share): Photo[] {
  const album = state.albums.get(label)!;
  const isOwn = by === album.owner && !album.isSmart;
  return listPhotosIn(state, isOwn ? by : 'stranger', album);
}

/** Returns the cover that a link shows: the owner's, if the link shows this photo, or else that of a stranger. */
export function findSharedCover(state: State, share: Share): Photo | undefined {
  const album = state.albums.get(share.album)!;
  const viewer = share.by === album.owner && !album.isSmart ? share.by : 'stranger';
  const cover = findCover(album, listCovers(state, viewer, album));
  if (cover && listShared(state, share).includes(cover)) return cover;
  return findCover(album, listCovers(state, 'stranger', album));
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
