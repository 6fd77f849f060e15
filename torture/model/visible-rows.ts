/** Computes what each viewer sees, from the rows at each call. */
import { presentLevel } from '../../test/support/visibility-model/decide.ts';
import type { Album, Comment, Name, Photo, Rows, Rule, Visitor } from './rows.ts';
import {
  findAlbum,
  isAlbumListed,
  isEnabled,
  isInside,
  isPhotoListed,
  pathTo,
  seesAccount,
  seesAlbum,
  seesPhoto,
} from './rules.ts';

/** Returns the photos that lists show to the viewer, newest first. */
export function photosFor(rows: Rows, viewer: Visitor): Photo[] {
  return [...rows.photos.values()].filter((photo) => isPhotoListed(rows, viewer, photo)).reverse();
}

/** Returns the photos that the viewer finds in open albums. An admin finds all photos. */
function openPhotosFor(rows: Rows, viewer: Visitor): Photo[] {
  return [...rows.photos.values()].filter((photo) => seesPhoto(rows, viewer, photo)).reverse();
}

/**
 * Returns an album's visible photos: in album order, or for a smart album the owner's matching photos, newest
 * first. `all` are the photos that the viewer can see, by default in an open album.
 */
export function albumPhotosFor(
  rows: Rows,
  viewer: Visitor,
  album: string,
  all = openPhotosFor(rows, viewer),
): Photo[] {
  const { owner, rule } = rows.albums.get(album)!;
  if (rule) return all.filter((photo) => photo.owner === owner && isFound(photo, rule));
  return all.filter((photo) => photo.album === album).sort((one, other) => one.position - other.position);
}

function isFound(photo: Photo, rule: Rule): boolean {
  if (rule === 'tag:sea') return photo.tags.includes('sea');
  return rule === '-tag:hill' ? !photo.tags.includes('hill') : hasWord(photo, rule);
}

/**
 * Returns the visible cover: the chosen photo, or the album's newest photo, or the newest in albums below.
 */
export function coverFor(
  rows: Rows,
  viewer: Visitor,
  album: Album,
  all = openPhotosFor(rows, viewer),
): string | null {
  const own = albumPhotosFor(rows, viewer, album.label, all);
  const below = all.filter((photo) => isInside(rows, findAlbum(rows, photo.album), album));
  const chosen = all.find(({ label }) => label === album.cover);
  return (chosen ?? all.find((photo) => own.includes(photo)) ?? below[0])?.label ?? null;
}

export function albumsFor(rows: Rows, viewer: Visitor): Album[] {
  return [...rows.albums.values()].filter((album) => isAlbumListed(rows, viewer, album));
}

export function listTrash(rows: Rows, owner: Visitor): Photo[] {
  return [...rows.photos.values()].filter((photo) => photo.owner === owner && photo.isTrashed);
}

export function listFavorites(rows: Rows, name: Name, viewer: Visitor): Photo[] {
  return photosFor(rows, viewer).filter(({ favorites }) => favorites.has(name));
}

export function listFeed(rows: Rows, viewer: Name): Photo[] {
  return photosFor(rows, viewer).filter(({ owner }) => rows.follows.has(`${viewer}>${owner}`));
}

/** Maps each tag to its number of photos. */
export function countTags(photos: Photo[]): Record<string, number> {
  return countBy(photos.flatMap(({ tags }) => tags));
}

export function countBy(values: string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}

export function hasWord(photo: Photo, word: string): boolean {
  return [photo.title, ...photo.tags].some((text) => text.includes(word));
}

export function accountsFor(rows: Rows, viewer: Visitor): Name[] {
  return [...rows.accounts.keys()].filter((name) => isEnabled(rows, name) || viewer === 'root');
}

/** Returns a person's followers, without disabled accounts. */
export function listFollowers(rows: Rows, name: Name): Name[] {
  return [...rows.accounts.keys()].filter(
    (other) => isEnabled(rows, other) && rows.follows.has(`${other}>${name}`),
  );
}

export function followedBy(rows: Rows, name: Name): Name[] {
  return [...rows.accounts.keys()].filter(
    (other) => isEnabled(rows, other) && rows.follows.has(`${name}>${other}`),
  );
}

export function listComments(rows: Rows, photo: string): Comment[] {
  return [...rows.comments.values()].filter((comment) => comment.photo === photo);
}

export function repliesTo(rows: Rows, comment: string): Comment[] {
  return [...rows.comments.values()].filter(({ parent }) => parent === comment);
}

/** Returns a photo's detail as the viewer should see it. */
export function photoFor(rows: Rows, viewer: Visitor, photo: Photo) {
  const album = photo.album === undefined ? undefined : rows.albums.get(photo.album);
  return {
    title: photo.title,
    tags: photo.tags,
    ...presentLevel(photo),
    likes: photo.likes.size,
    favorites: photo.favorites.size,
    comments: listComments(rows, photo.label).length,
    is_liked: photo.likes.has(viewer as Name),
    is_favorited: photo.favorites.has(viewer as Name),
    album: album?.name ?? null,
    owner: photo.owner,
  };
}

export function albumFor(rows: Rows, viewer: Visitor, album: Album) {
  const inside = [...rows.albums.values()].filter(({ parent }) => parent === album.label);
  return {
    name: album.name,
    ...presentLevel(album),
    photo_count: albumPhotosFor(rows, viewer, album.label).length,
    cover: coverFor(rows, viewer, album),
    is_smart: album.rule !== undefined,
    parents: pathTo(rows, album)
      .slice(0, -1)
      .map(({ name }) => name),
    children: inside
      .filter((child) => seesAlbum(rows, viewer, child))
      .map(({ name }) => name)
      .sort(),
  };
}

/** Returns a user's profile, or undefined if the viewer cannot see it. */
export function homeFor(rows: Rows, viewer: Visitor, name: Name) {
  if (!seesAccount(rows, viewer, name)) return undefined;
  const own = photosFor(rows, viewer).filter(({ owner }) => owner === name);
  return {
    is_following: rows.follows.has(`${viewer}>${name}`),
    is_followed: rows.follows.has(`${name}>${viewer}`),
    stats: {
      photos: own.length,
      albums: albumsFor(rows, viewer).filter(({ owner }) => owner === name).length,
      likes: own.reduce((sum, { likes }) => sum + likes.size, 0),
      followers: listFollowers(rows, name).length,
      following: followedBy(rows, name).length,
    },
  };
}

/** Returns the statistics that a user gets about the own account. */
export function ownFigures(rows: Rows, viewer: Name) {
  const own = [...rows.photos.values()].filter((photo) => photo.owner === viewer && !photo.isTrashed);
  return {
    photos: own.length,
    albums: [...rows.albums.values()].filter(({ owner }) => owner === viewer).length,
    favorites: listFavorites(rows, viewer, viewer).length,
    likes: own.reduce((sum, { likes }) => sum + likes.size, 0),
  };
}

/** Returns whether the viewer can open the thumbnail by its public path. In the trash only the owner can. */
export function opensImage(rows: Rows, viewer: Visitor, photo: Photo | undefined): boolean {
  if (!photo) return false;
  if (photo.isTrashed) return photo.owner === viewer;
  return seesPhoto(rows, viewer, photo);
}
