/** Applies a request to a state by the rules of `docs/visibility.md`. */
import { deleteAccount, endShare, registerAgain, setStatus, shareAlbum } from './change-account.ts';
import { chooseCover, createAlbum, deleteAlbum, updateAlbum } from './change-album.ts';
import { addToAlbum, answerEach, orderAlbum, removeFromAlbum } from './change-contents.ts';
import { changePhoto, findPlaceProblem, purgePhoto, restorePhoto, trashPhoto } from './change-photo.ts';
import { append, clearLostCovers } from './contents.ts';
import { isContradiction, namedLevel } from './levels.ts';
import {
  type Batch,
  done,
  type ModelAnswer,
  type ModelRequest,
  refusals,
  type UploadPhoto,
} from './requests.ts';
import { isEnabled, type Name, type State } from './state.ts';

export interface Applied {
  state: State;
  answer: ModelAnswer;
}

/** Returns the new state and the answer. After a refusal the new state equals the given one. */
export function apply(before: State, request: ModelRequest): Applied {
  const refusal = findCallerProblem(before, request);
  if (refusal) return { state: before, answer: refusal };
  const state = structuredClone(before);
  const answer = change(state, request);
  clearLostCovers(state);
  return { state: answer.code === 0 ? state : before, answer };
}

/** Returns the refusal of a caller, or of contradicting fields. Both come before everything else. */
function findCallerProblem(state: State, request: ModelRequest): ModelAnswer | undefined {
  if (request.does === 'register') return undefined;
  if (request.by === 'stranger') return refusals.unauthenticated;
  if (!isEnabled(state, request.by)) return refusals.badToken;
  const isContradicting = 'fields' in request && isContradiction(request.fields);
  return isContradicting ? refusals.contradiction : undefined;
}

function change(state: State, request: ModelRequest): ModelAnswer {
  switch (request.does) {
    case 'create album':
      return createAlbum(state, request);
    case 'update album':
      return updateAlbum(state, request);
    case 'delete album':
      return deleteAlbum(state, request);
    case 'choose cover':
      return chooseCover(state, request);
    case 'order album':
      return orderAlbum(state, request);
    case 'upload':
      return uploadPhoto(state, request);
    case 'update photo':
      return changePhoto(state, request.by, request.photo, request);
    case 'delete':
      return trashPhoto(state, request.by, request.photo);
    case 'restore':
      return restorePhoto(state, request.by, request.photo);
    case 'purge':
      return purgePhoto(state, request.by, request.photo);
    case 'batch':
      return changeSeveral(state, request);
    case 'add to album':
      return addToAlbum(state, request);
    case 'remove from album':
      return removeFromAlbum(state, request);
    case 'share album':
      return shareAlbum(state, request);
    case 'end share':
      return endShare(state, request);
    case 'delete account':
      return deleteAccount(state, request);
    case 'register':
      return registerAgain(state, request);
    default:
      return setStatus(state, request);
  }
}

function uploadPhoto(state: State, { by, photo, fields, into }: UploadPhoto): ModelAnswer {
  const problem = findPlaceProblem(state, by, into);
  if (problem) return problem;
  state.photos.set(photo, {
    label: photo,
    owner: by as Name,
    level: namedLevel(fields) ?? state.defaultLevel,
    mainAlbum: into === 'none' ? undefined : into,
    isTrashed: false,
  });
  if (into !== undefined && into !== 'none') append(state.albums.get(into)!, photo);
  return done;
}

/**
 * `add` and `remove` do the same as the routes of one album, without telling where each photo is. The other
 * actions change each photo by itself.
 */
function changeSeveral(state: State, request: Batch): ModelAnswer {
  const { by, action, photos, into: album = 'none' } = request;
  if (action === 'remove') return removeFromAlbum(state, { does: 'remove from album', by, album, photos });
  if (action !== 'add') return answerEach(photos, (photo) => changeInBatch(state, request, photo));
  const { photos: _, ...answer } = addToAlbum(state, {
    does: 'add to album',
    by,
    album,
    photos,
    isMove: false,
  });
  return answer;
}

function changeInBatch(state: State, { by, action, fields, into }: Batch, photo: string): ModelAnswer {
  switch (action) {
    case 'publish':
      return changePhoto(state, by, photo, { fields: { visibility: 'public' } });
    case 'hide':
      return changePhoto(state, by, photo, { fields: { visibility: 'private' } });
    case 'visibility':
      return changePhoto(state, by, photo, { fields });
    case 'move':
      return changePhoto(state, by, photo, { fields: {}, into: into ?? 'none' });
    case 'delete':
      return trashPhoto(state, by, photo);
    case 'restore':
      return restorePhoto(state, by, photo);
    default:
      return purgePhoto(state, by, photo);
  }
}
