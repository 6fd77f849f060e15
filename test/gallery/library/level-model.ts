/** Model of the levels of photos and albums, in plain TypeScript. */
import type { LevelName } from '../../../server/platform/db/states.ts';
import type { Person } from '../../support/people.ts';

export interface Photo {
  id: number;
  owner: Owner;
  thumb: string;
  level: LevelName;
  album: Album | undefined;
  isTrashed: boolean;
}

export interface Album {
  id: number;
  owner: Owner;
  level: LevelName;
  parent: Album | undefined;
}

export interface Owner {
  person: Person;
  isEnabled: boolean;
  photos: Photo[];
  albums: Album[];
}

/** Levels from narrow to wide. */
export const levels: LevelName[] = ['private', 'members', 'public'];

export function isWider(level: LevelName, than: LevelName): boolean {
  return levels.indexOf(level) > levels.indexOf(than);
}

function chooseNarrower(one: LevelName, other: LevelName): LevelName {
  return isWider(one, other) ? other : one;
}

/** Returns the widest level that the album allows its photos and inner albums while the account is enabled. */
export function widestIn(album: Album | undefined): LevelName {
  return album ? chooseNarrower(album.level, widestIn(album.parent)) : 'public';
}

export function effectiveLevel(photo: Photo): LevelName {
  return photo.owner.isEnabled ? chooseNarrower(photo.level, widestIn(photo.album)) : 'private';
}

/** Moves the photo in the model. A photo that leaves an album keeps the level that counted there. */
export function movePhoto(photo: Photo, to: Album | undefined): void {
  if (photo.album && photo.album !== to) photo.level = chooseNarrower(photo.level, widestIn(photo.album));
  photo.album = to;
}

export function isIn(album: Album | undefined, other: Album): boolean {
  return album !== undefined && (album === other || isIn(album.parent, other));
}
