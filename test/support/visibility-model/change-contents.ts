/** Changes of the photos that an album contains. Each photo has its own answer. */

import { canChange, findLinkProblem } from './change-photo.ts';
import { append, moveTo, removeFrom } from './contents.ts';
import { presentLevel } from './decide.ts';
import { photoLevel } from './levels.ts';
import {
  type AddedPhoto,
  type AddToAlbum,
  done,
  type ModelAnswer,
  type OrderAlbum,
  type RemoveFromAlbum,
  refusals,
} from './requests.ts';
import { type Album, findAlbum, type State, type Viewer } from './state.ts';

export function addToAlbum(state: State, { by, album: label, photos, isMove }: AddToAlbum): ModelAnswer {
  const problem = findContentsProblem(state, by, label);
  if (problem) return problem;
  const album = state.albums.get(label)!;
  const answer = answerEach(photos, (photo) => addPhoto(state, by, album, { label: photo, isMove }));
  return { ...answer, photos: answer.success.map((photo) => presentAdded(state, album, photo)) };
}

export function removeFromAlbum(state: State, { by, album: label, photos }: RemoveFromAlbum): ModelAnswer {
  const problem = findContentsProblem(state, by, label);
  if (problem) return problem;
  return answerEach(photos, (photo) => removePhoto(state, state.albums.get(label)!, photo));
}

function findContentsProblem(state: State, by: Viewer, label: string): ModelAnswer | undefined {
  const album = findAlbum(state, label);
  if (!album) return refusals.albumNotFound;
  if (!canChange(state, by, album)) return refusals.albumForbidden;
  return album.isSmart ? refusals.albumIsSmart : undefined;
}

function addPhoto(
  state: State,
  by: Viewer,
  album: Album,
  { label, isMove }: { label: string; isMove: boolean },
): ModelAnswer {
  const photo = state.photos.get(label);
  if (!photo || photo.isTrashed) return refusals.photoNotFound;
  if (photo.owner !== album.owner) return refusals.photoForbidden;
  const linkProblem = findLinkProblem(state, by, photo, album.label);
  if (linkProblem) return linkProblem;
  if (isMove || photo.mainAlbum === undefined) moveTo(state, photo, album.label);
  else append(album, label);
  return done;
}

/** Takes the photo out of this album only. A reference that ends changes no level. */
function removePhoto(state: State, album: Album, label: string): ModelAnswer {
  const photo = state.photos.get(label);
  if (!photo || photo.isTrashed || !album.photos.includes(label)) return refusals.photoNotFound;
  if (photo.mainAlbum === album.label) moveTo(state, photo, undefined);
  else removeFrom(album, label);
  return done;
}

function presentAdded(state: State, album: Album, label: string): AddedPhoto {
  const photo = state.photos.get(label)!;
  return {
    photo: label,
    as: photo.mainAlbum === album.label ? 'main' : 'reference',
    ...presentLevel(photo),
    effective_visibility: photoLevel(state, photo),
  };
}

/** Reorders the given photos among the positions that they have. All other photos keep their positions. */
export function orderAlbum(state: State, { by, album: label, photos }: OrderAlbum): ModelAnswer {
  const problem = findContentsProblem(state, by, label);
  if (problem) return problem;
  const album = state.albums.get(label)!;
  const isInside = (photo: string) => album.photos.includes(photo) && !state.photos.get(photo)!.isTrashed;
  if (!photos.every(isInside)) return refusals.orderNotInAlbum;
  const left = [...photos];
  album.photos = album.photos.map((photo) => (photos.includes(photo) ? left.shift()! : photo));
  return done;
}

/** Changes each photo by itself, and returns the answer about all. */
export function answerEach(photos: string[], change: (photo: string) => ModelAnswer) {
  const answers = photos.map((photo) => ({ photo, code: change(photo).code }));
  return {
    ...done,
    success: answers.filter(({ code }) => code === 0).map(({ photo }) => photo),
    failed: answers.filter(({ code }) => code !== 0),
  };
}
