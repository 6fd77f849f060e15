/** Changes of one photo, alone or as a part of a request about several. Each returns the answer. */
import { isWider, type LevelFields, namedLevel, placedLevel } from './levels.ts';
import { done, type ModelAnswer, type Place, refusals } from './requests.ts';
import { findAlbum, isAdmin, type Name, type Photo, type State, type Viewer } from './state.ts';

/** Returns whether the viewer is the owner or an admin. */
export function canChange(state: State, viewer: Viewer, { owner }: { owner: Name }): boolean {
  return viewer === owner || isAdmin(state, viewer);
}

/** Returns the refusal if nothing of this owner can be in the album. */
export function findPlaceProblem(
  state: State,
  owner: Viewer,
  into: Place | undefined,
): ModelAnswer | undefined {
  if (into === undefined || into === 'none') return undefined;
  const album = findAlbum(state, into);
  if (!album) return refusals.albumNotFound;
  return album.owner === owner ? undefined : refusals.albumForbidden;
}

export function changePhoto(
  state: State,
  by: Viewer,
  label: string,
  { fields, into }: { fields: LevelFields; into?: Place },
): ModelAnswer {
  const photo = state.photos.get(label);
  if (!photo || photo.isTrashed) return refusals.photoNotFound;
  if (!canChange(state, by, photo)) return refusals.photoForbidden;
  const problem = findPlaceProblem(state, photo.owner, into);
  if (problem) return problem;
  const target = into === undefined ? photo.album : into === 'none' ? undefined : into;
  const isLeaving = photo.album !== undefined && target !== photo.album;
  const kept = isLeaving ? placedLevel(state, photo) : photo.level;
  const named = namedLevel(fields, photo.level);
  if (named && by !== photo.owner && isWider(named, kept)) return refusals.photoForbidden;
  photo.level = named ?? kept;
  photo.album = target;
  return done;
}

/** Takes a photo out of its album. The photo keeps the level that counted. */
export function leaveAlbum(state: State, photo: Photo): void {
  photo.level = placedLevel(state, photo);
  photo.album = undefined;
}

export function trashPhoto(state: State, by: Viewer, label: string): ModelAnswer {
  const photo = state.photos.get(label);
  if (!photo || photo.isTrashed) return refusals.photoNotFound;
  if (!canChange(state, by, photo)) return refusals.photoForbidden;
  photo.isTrashed = true;
  return done;
}

export function restorePhoto(state: State, by: Viewer, label: string): ModelAnswer {
  const refusal = findTrashProblem(state, by, label);
  if (refusal) return refusal;
  state.photos.get(label)!.isTrashed = false;
  return done;
}

export function purgePhoto(state: State, by: Viewer, label: string): ModelAnswer {
  const refusal = findTrashProblem(state, by, label);
  if (refusal) return refusal;
  state.photos.delete(label);
  return done;
}

/** Returns the refusal unless the photo is in the trash and the viewer can change the photo. */
function findTrashProblem(state: State, by: Viewer, label: string): ModelAnswer | undefined {
  const photo = state.photos.get(label);
  if (!photo) return refusals.photoNotFound;
  if (canChange(state, by, photo)) return photo.isTrashed ? undefined : refusals.photoNotFound;
  return photo.isTrashed ? refusals.photoNotFound : refusals.photoForbidden;
}
