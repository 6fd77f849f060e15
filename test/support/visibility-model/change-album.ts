/** Changes of albums. Each returns the answer. */

import { canChange, findPlaceProblem } from './change-photo.ts';
import { eraseAlbum, isBelow, moveTo } from './contents.ts';
import { isWider, lineLevel, namedLevel } from './levels.ts';
import {
  type ChooseCover,
  type CreateAlbum,
  type DeleteAlbum,
  done,
  type ModelAnswer,
  refusals,
  type UpdateAlbum,
} from './requests.ts';
import { type Album, findAlbum, findPath, type Name, type State } from './state.ts';

/** Maximum depth of nested albums. */
const maxDepth = 8;

export function createAlbum(state: State, { by, album, isSmart, fields, into }: CreateAlbum): ModelAnswer {
  const problem = findPlaceProblem(state, by, into);
  if (problem) return problem;
  const parent = into === 'none' ? undefined : into;
  if (findPath(state, findAlbum(state, parent)).length >= maxDepth) return refusals.albumNesting;
  state.albums.set(album, {
    label: album,
    owner: by as Name,
    level: namedLevel(fields) ?? state.defaultLevel,
    parent,
    isSmart,
    photos: [],
    cover: undefined,
  });
  return done;
}

export function updateAlbum(state: State, { by, album: label, fields, into }: UpdateAlbum): ModelAnswer {
  const album = state.albums.get(label);
  if (!album) return refusals.albumNotFound;
  if (!canChange(state, by, album)) return refusals.albumForbidden;
  const target = into === undefined ? album.parent : into === 'none' ? undefined : into;
  const isMoved = target !== album.parent;
  const problem =
    isMoved && (findPlaceProblem(state, album.owner, target) ?? findNestingProblem(state, album, target));
  if (problem) return problem;
  const kept = isMoved && album.parent !== undefined ? lineLevel(state, album) : album.level;
  const named = namedLevel(fields, album.level);
  if (named && by !== album.owner && isWider(named, kept)) return refusals.albumForbidden;
  album.level = named ?? kept;
  album.parent = target;
  return done;
}

function findNestingProblem(state: State, album: Album, target: string | undefined): ModelAnswer | undefined {
  const above = findPath(state, findAlbum(state, target));
  const isTooDeep = above.length + computeHeight(state, album) > maxDepth;
  return above.includes(album) || isTooDeep ? refusals.albumNesting : undefined;
}

/** Returns the number of levels from this album down. */
function computeHeight(state: State, album: Album): number {
  const inner = listInner(state, album.label);
  return 1 + Math.max(0, ...inner.map((one) => computeHeight(state, one)));
}

const listInner = ({ albums }: State, label: string) =>
  [...albums.values()].filter(({ parent }) => parent === label);

export function deleteAlbum(state: State, { by, album: label }: DeleteAlbum): ModelAnswer {
  const album = state.albums.get(label);
  if (!album) return refusals.albumNotFound;
  if (!canChange(state, by, album)) return refusals.albumForbidden;
  for (const photo of state.photos.values()) {
    if (photo.mainAlbum === label) moveTo(state, photo, undefined);
  }
  for (const inner of listInner(state, label)) {
    inner.level = lineLevel(state, inner);
    inner.parent = album.parent;
  }
  eraseAlbum(state, label);
  return done;
}

/** Chooses the cover among the photos of the album and of the albums inside, outside the trash. */
export function chooseCover(state: State, { by, album: label, photo }: ChooseCover): ModelAnswer {
  const album = state.albums.get(label);
  if (!album) return refusals.albumNotFound;
  if (!canChange(state, by, album)) return refusals.albumForbidden;
  const canBeCover = isBelow(state, album, photo) && !state.photos.get(photo)!.isTrashed;
  if (photo !== 'none' && !canBeCover) return refusals.coverNotInAlbum;
  album.cover = photo === 'none' ? undefined : photo;
  return done;
}
