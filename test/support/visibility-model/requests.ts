/** The requests of the model. Things are named by labels, so that any gallery can replay a request. */
import type { LevelFields } from './levels.ts';
import type { Level, Name, Viewer } from './state.ts';

/** An album's label; `none` is the top level for an album, and no main album for a photo. */
export type Place = string;

interface Base {
  by: Viewer;
}

export interface CreateAlbum extends Base {
  does: 'create album';
  album: string;
  isSmart: boolean;
  fields: LevelFields;
  into?: Place;
}

export interface UpdateAlbum extends Base {
  does: 'update album';
  album: string;
  fields: LevelFields;
  into?: Place;
}

export interface DeleteAlbum extends Base {
  does: 'delete album';
  album: string;
}

export interface ChooseCover extends Base {
  does: 'choose cover';
  album: string;
  /** Label of the photo; `none` ends the choice. */
  photo: string;
}

export interface UploadPhoto extends Base {
  does: 'upload';
  photo: string;
  fields: LevelFields;
  into?: Place;
}

export interface UpdatePhoto extends Base {
  does: 'update photo';
  photo: string;
  fields: LevelFields;
  into?: Place;
}

/** A request about one photo without further details. */
export interface OnePhoto extends Base {
  does: 'delete' | 'restore' | 'purge';
  photo: string;
}

export const batchActions = [
  'publish',
  'hide',
  'visibility',
  'move',
  'add',
  'remove',
  'delete',
  'restore',
  'purge',
] as const;

export interface Batch extends Base {
  does: 'batch';
  action: (typeof batchActions)[number];
  photos: string[];
  fields: LevelFields;
  into?: Place;
}

export interface AddToAlbum extends Base {
  does: 'add to album';
  album: string;
  photos: string[];
  isMove: boolean;
}

export interface RemoveFromAlbum extends Base {
  does: 'remove from album';
  album: string;
  photos: string[];
}

export interface OrderAlbum extends Base {
  does: 'order album';
  album: string;
  photos: string[];
}

export interface ShareAlbum extends Base {
  does: 'share album';
  share: string;
  album: string;
}

export interface EndShare extends Base {
  does: 'end share';
  share: string;
}

export interface SetStatus extends Base {
  does: 'set status';
  account: Name;
  isEnabled: boolean;
}

export interface ChangeAccount extends Base {
  does: 'delete account' | 'register';
  account: Name;
}

export type ModelRequest =
  | CreateAlbum
  | UpdateAlbum
  | DeleteAlbum
  | ChooseCover
  | UploadPhoto
  | UpdatePhoto
  | OnePhoto
  | Batch
  | AddToAlbum
  | RemoveFromAlbum
  | OrderAlbum
  | ShareAlbum
  | EndShare
  | SetStatus
  | ChangeAccount;

/** Place and levels of a photo that was added to an album. */
export interface AddedPhoto {
  photo: string;
  as: 'main' | 'reference';
  visibility: Level;
  is_public: number;
  effective_visibility: Level;
}

/** The part of an answer that the model decides. */
export interface ModelAnswer {
  status: number;
  code: number;
  /** Names of the fields that a 400 refuses. */
  errors?: string[];
  /** Labels of changed photos, of a request that changes several. */
  success?: string[];
  failed?: { photo: string; code: number }[];
  /** The photos of `success`, of a request that adds photos to an album. */
  photos?: AddedPhoto[];
}

export const done: ModelAnswer = { status: 200, code: 0 };

const invalid = (...errors: string[]): ModelAnswer => ({ status: 400, code: 400, errors });

export const refusals = {
  contradiction: invalid('is_public', 'visibility'),
  coverNotInAlbum: invalid('cover_id'),
  orderNotInAlbum: invalid('ids'),
  unauthenticated: { status: 401, code: 401 },
  badToken: { status: 401, code: 10006 },
  forbidden: { status: 403, code: 403 },
  usernameTaken: { status: 409, code: 10001 },
  photoNotFound: { status: 404, code: 20003 },
  photoForbidden: { status: 403, code: 20004 },
  shareNotFound: { status: 404, code: 20007 },
  albumNotFound: { status: 404, code: 30001 },
  albumForbidden: { status: 403, code: 30002 },
  albumNesting: { status: 400, code: 30003 },
  albumIsSmart: { status: 409, code: 30004 },
  lastAdmin: { status: 409, code: 60002 },
  userNotFound: { status: 404, code: 50001 },
} satisfies Record<string, ModelAnswer>;
