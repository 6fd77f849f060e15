/** The requests of the model. Things are named by labels, so that any gallery can replay a request. */
import type { LevelFields } from './levels.ts';
import type { Name, Viewer } from './state.ts';

/** An album's label; `none` is the top level for an album, and no album for a photo. */
export type Place = string;

interface Base {
  by: Viewer;
}

export interface CreateAlbum extends Base {
  does: 'create album';
  album: string;
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

export const batchActions = ['publish', 'hide', 'visibility', 'move', 'delete', 'restore', 'purge'] as const;

export interface Batch extends Base {
  does: 'batch';
  action: (typeof batchActions)[number];
  photos: string[];
  fields: LevelFields;
  into?: Place;
}

export interface ChangeContents extends Base {
  does: 'add to album' | 'take out of album';
  album: string;
  photos: string[];
}

export interface SetStatus extends Base {
  does: 'set status';
  account: Name;
  isEnabled: boolean;
}

export type ModelRequest =
  | CreateAlbum
  | UpdateAlbum
  | DeleteAlbum
  | UploadPhoto
  | UpdatePhoto
  | OnePhoto
  | Batch
  | ChangeContents
  | SetStatus;

/** The part of an answer that the model decides. */
export interface ModelAnswer {
  status: number;
  code: number;
  /** Names of the fields that a 400 refuses. */
  errors?: string[];
  /** Labels of changed photos, of a request that changes several. */
  success?: string[];
  failed?: { photo: string; code: number }[];
}

export const done: ModelAnswer = { status: 200, code: 0 };

export const refusals = {
  contradiction: { status: 400, code: 400, errors: ['is_public', 'visibility'] },
  unauthenticated: { status: 401, code: 401 },
  badToken: { status: 401, code: 10006 },
  forbidden: { status: 403, code: 403 },
  photoNotFound: { status: 404, code: 20003 },
  photoForbidden: { status: 403, code: 20004 },
  albumNotFound: { status: 404, code: 30001 },
  albumForbidden: { status: 403, code: 30002 },
  albumNesting: { status: 400, code: 30003 },
  lastAdmin: { status: 409, code: 60002 },
  userNotFound: { status: 404, code: 50001 },
} satisfies Record<string, ModelAnswer>;
