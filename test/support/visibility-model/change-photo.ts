/** Changes of one photo, alone or as a part of a request about several. Each returns the answer. */
import { changeMainAlbum, erasePhoto } from './contents.ts';
import { isWider, type LevelFields, namedLevel, photoLevel, placedLevel } from './levels.ts';
import { done, type ModelAnswer, type Place, refusals } from './requests.ts';
import { findAlbum, isAdmin, type Name, type Photo, type State, type Viewer } from './state.ts';

/** Returns whether the viewer is the owner or an admin. */
export function canChange(state: State, viewer: Viewer, { owner }: { owner: Name }): boolean {
  return viewer === owner || isAdmin(state, viewer);
}

/** Returns the refusal if the album cannot contain anything of this owner. */
export function findPlaceProblem(
  state: State,
  owner: Viewer,
  into: Place | undefined,
): ModelAnswer | undefined {
  if (into === undefined || into === 'none') return undefined;
  const album = findAlbum(state, into);
  if (!album) return refusals.albumNotFound;
  if (album.owner !== owner) return refusals.albumForbidden;
  return album.isSmart ? refusals.albumIsSmart : undefined;
}

/** Returns the refusal if an admin would add a photo that is not public to an album with a share link. */
export function findLinkProblem(
  state: State,
  by: Viewer,
  photo: Photo,
  target: string,
): ModelAnswer | undefined {
  const album = state.albums.get(target)!;
  if (by === album.owner || album.photos.includes(photo.label)) return undefined;
  const hasLink = [...state.shares.values()].some((share) => share.album === target);
  return hasLink && photoLevel(state, photo) !== 'public' ? refusals.photoForbidden : undefined;
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
  const target = into === undefined ? photo.mainAlbum : into === 'none' ? undefined : into;
  const linkProblem = target !== undefined && findLinkProblem(state, by, photo, target);
  if (linkProblem) return linkProblem;
  const isLeaving = photo.mainAlbum !== undefined && target !== photo.mainAlbum;
  const kept = isLeaving ? placedLevel(state, photo) : photo.level;
  const named = namedLevel(fields, photo.level);
  if (named && by !== photo.owner && isWider(named, kept)) return refusals.photoForbidden;
  photo.level = named ?? kept;
  changeMainAlbum(state, photo, target);
  return done;
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
  erasePhoto(state, label);
  return done;
}

/** Returns the refusal unless the photo is in the trash and the viewer can change the photo. */
function findTrashProblem(state: State, by: Viewer, label: string): ModelAnswer | undefined {
  const photo = state.photos.get(label);
  if (!photo) return refusals.photoNotFound;
  if (canChange(state, by, photo)) return photo.isTrashed ? undefined : refusals.photoNotFound;
  return photo.isTrashed ? refusals.photoNotFound : refusals.photoForbidden;
}
