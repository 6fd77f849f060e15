/** Changes of albums. Each returns the answer. */
import { canChange, changePhoto, findPlaceProblem, leaveAlbum } from './change-photo.ts';
import { isWider, lineLevel, namedLevel } from './levels.ts';
import {
  type ChangeContents,
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

export function createAlbum(state: State, { by, album, fields, into }: CreateAlbum): ModelAnswer {
  const problem = findPlaceProblem(state, by, into);
  if (problem) return problem;
  const parent = into === 'none' ? undefined : into;
  if (findPath(state, findAlbum(state, parent)).length >= maxDepth) return refusals.albumNesting;
  const level = namedLevel(fields) ?? state.defaultLevel;
  state.albums.set(album, { label: album, owner: by as Name, level, parent });
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
  for (const photo of state.photos.values()) if (photo.album === label) leaveAlbum(state, photo);
  for (const inner of listInner(state, label)) {
    inner.level = lineLevel(state, inner);
    inner.parent = album.parent;
  }
  state.albums.delete(label);
  return done;
}

/** Adds photos to an album, or takes photos out. Each photo has its own answer. */
export function changeContents(
  state: State,
  { does, by, album: label, photos }: ChangeContents,
): ModelAnswer {
  const album = state.albums.get(label);
  if (!album) return refusals.albumNotFound;
  if (!canChange(state, by, album)) return refusals.albumForbidden;
  const isAdding = does === 'add to album';
  return answerEach(photos, (photo) => {
    const found = state.photos.get(photo);
    if (!found || found.isTrashed || (!isAdding && found.album !== label)) return refusals.photoNotFound;
    if (found.owner !== album.owner) return refusals.photoForbidden;
    return changePhoto(state, by, photo, { fields: {}, into: isAdding ? label : 'none' });
  });
}

/** Changes each photo by itself, and returns the answer about all. */
export function answerEach(photos: string[], change: (photo: string) => ModelAnswer): ModelAnswer {
  const answers = photos.map((photo) => ({ photo, code: change(photo).code }));
  return {
    ...done,
    success: answers.filter(({ code }) => code === 0).map(({ photo }) => photo),
    failed: answers.filter(({ code }) => code !== 0),
  };
}
