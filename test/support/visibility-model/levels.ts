/** Effective levels and levels in requests, by `docs/visibility.md`. */
import {
  type Album,
  findAlbum,
  findPath,
  isEnabled,
  type Level,
  levels,
  type Photo,
  type State,
} from './state.ts';

/** The two fields of a request that name a level. */
export interface LevelFields {
  visibility?: Level;
  is_public?: 0 | 1;
}

export function isWider(one: Level, other: Level): boolean {
  return levels.indexOf(one) > levels.indexOf(other);
}

/** Returns the narrowest of the levels. */
export function narrowest(...some: Level[]): Level {
  return some.reduce((one, other) => (isWider(one, other) ? other : one), 'public');
}

/** Returns the narrowest level on the path, whether the owner's account is enabled or not. */
export function lineLevel(state: State, album: Album | undefined): Level {
  return narrowest(...findPath(state, album).map(({ level }) => level));
}

/** Returns the level that a photo keeps when the photo leaves its main album. */
export function placedLevel(state: State, photo: Photo): Level {
  return narrowest(photo.level, lineLevel(state, findAlbum(state, photo.mainAlbum)));
}

export function albumLevel(state: State, album: Album): Level {
  return isEnabled(state, album.owner) ? lineLevel(state, album) : 'private';
}

export function photoLevel(state: State, photo: Photo): Level {
  return isEnabled(state, photo.owner) ? placedLevel(state, photo) : 'private';
}

/** Returns whether the two fields contradict each other. */
export function isContradiction({ visibility, is_public }: LevelFields): boolean {
  if (visibility === undefined || is_public === undefined) return false;
  return (visibility === 'public') !== (is_public === 1);
}

/**
 * Returns the level that a request names, or undefined if it names none. `is_public: 0` names none for
 * something whose own level is `members`.
 */
export function namedLevel({ visibility, is_public }: LevelFields, own?: Level): Level | undefined {
  if (visibility !== undefined) return visibility;
  if (is_public === undefined) return undefined;
  if (is_public === 1) return 'public';
  return own === 'members' ? undefined : 'private';
}
