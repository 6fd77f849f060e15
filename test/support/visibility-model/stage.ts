/** A real gallery with the people of the model, and the requests of the model sent to it. */
import type { Gallery } from '../harness.ts';
import {
  type Answer,
  asVisitor,
  logIn,
  type Person,
  register,
  registerAdmin,
  retryUntilServed,
} from '../people.ts';
import { createJpeg } from '../pictures.ts';
import type { LevelFields } from './levels.ts';
import type { ModelAnswer, ModelRequest, Place } from './requests.ts';
import { type Level, names, type Viewer } from './state.ts';

export interface Stage {
  gallery: Gallery;
  people: Map<Viewer, Person>;
  /** Ids of photos, albums and accounts by label, deleted ones too. */
  ids: Map<string, number>;
  /** Path of each photo's thumbnail without a signature, by label. */
  thumbs: Map<string, string>;
  /** The last path of a photo's thumbnail that an answer gave to a viewer, by `viewer photo`. */
  givenPaths: Map<string, string>;
  picture: Buffer;
}

/** Level of an upload or an album whose request names none, in the galleries of the harness. */
export const defaultLevel: Level = 'public';

/** Registers the people of the model. Everybody follows everybody else, so that feeds hold photos. */
export async function createStage(gallery: Gallery): Promise<Stage> {
  const stage: Stage = {
    gallery,
    people: new Map([['stranger', asVisitor(gallery)]]),
    ids: new Map(),
    thumbs: new Map(),
    givenPaths: new Map(),
    picture: await createJpeg({ width: 16, height: 16 }),
  };
  for (const name of names) {
    const person = await (name === 'root' ? registerAdmin(gallery, name) : register(gallery, name));
    stage.people.set(name, person);
    stage.ids.set(name, person.id);
  }
  for (const name of names) {
    for (const other of names) {
      if (other !== name) await stage.people.get(name)!.post(`/api/users/${other}/follow`);
    }
  }
  return stage;
}

/** Returns the labels that a request needs and does not create. */
export function listNeeded(request: ModelRequest): string[] {
  const {
    into = 'none',
    photos = [],
    photo,
    album,
  }: { into?: Place; photos?: string[]; photo?: string; album?: string } = request as object;
  const own = request.does === 'upload' || request.does === 'create album' ? [] : [photo, album];
  return [into, ...photos, ...own].filter((label) => label !== undefined && label !== 'none') as string[];
}

/** Sends a request, and returns the answer in the words of the model. */
export async function send(stage: Stage, request: ModelRequest): Promise<ModelAnswer> {
  const person = stage.people.get(request.by)!;
  const answer = await retryUntilServed(() => sendAs(stage, person, request));
  if (answer.body.code === 0) await recordOutcome(stage, request, answer);
  return translateAnswer(stage, answer);
}

function sendAs(stage: Stage, person: Person, request: ModelRequest): Promise<Answer> {
  const id = (label: string) => stage.ids.get(label)!;
  switch (request.does) {
    case 'create album':
      return person.post('/api/albums', {
        name: request.album,
        ...request.fields,
        ...parentField(stage, request.into),
      });
    case 'update album':
      return person.put(`/api/albums/${id(request.album)}`, {
        ...request.fields,
        ...parentField(stage, request.into),
      });
    case 'delete album':
      return person.delete(`/api/albums/${id(request.album)}`);
    case 'upload':
      return person.upload(stage.picture, {
        title: `harbour ${request.photo}`,
        tags: 'model',
        ...formFields(request.fields),
        ...(request.into !== undefined && { album_id: String(placeId(stage, request.into)) }),
      });
    case 'update photo':
      return person.put(`/api/photos/${id(request.photo)}`, {
        ...request.fields,
        ...albumField(stage, request.into),
      });
    case 'delete':
      return person.delete(`/api/photos/${id(request.photo)}`);
    case 'restore':
      return person.post(`/api/photos/${id(request.photo)}/restore`);
    case 'purge':
      return person.delete(`/api/trash/${id(request.photo)}`);
    case 'batch':
      return person.post('/api/photos/batch', {
        ids: request.photos.map(id),
        action: request.action,
        ...request.fields,
        ...albumField(stage, request.into),
      });
    case 'add to album':
    case 'take out of album':
      return person.send(
        request.does === 'add to album' ? 'POST' : 'DELETE',
        `/api/albums/${id(request.album)}/photos`,
        {
          body: JSON.stringify({ ids: request.photos.map(id) }),
          headers: { 'content-type': 'application/json' },
        },
      );
    default:
      return person.put(`/api/admin/users/${id(request.account)}`, { status: Number(request.isEnabled) });
  }
}

function formFields({ visibility, is_public }: LevelFields): Record<string, string> {
  return {
    ...(visibility && { visibility }),
    ...(is_public !== undefined && { is_public: String(is_public) }),
  };
}

const placeId = ({ ids }: Stage, place: Place) => (place === 'none' ? 0 : ids.get(place)!);

function parentField(stage: Stage, into: Place | undefined) {
  return into === undefined ? {} : { parent_id: placeId(stage, into) };
}

function albumField(stage: Stage, into: Place | undefined) {
  return into === undefined ? {} : { album_id: placeId(stage, into) };
}

/** Records the ids of created things. Logs an enabled person in again, because disabling ended all sessions. */
async function recordOutcome(stage: Stage, request: ModelRequest, { body }: Answer): Promise<void> {
  if (request.does === 'create album') stage.ids.set(request.album, body.data.id);
  if (request.does === 'upload') {
    stage.ids.set(request.photo, body.data.id);
    stage.thumbs.set(request.photo, body.data.thumb.split('?')[0]);
  }
  if (request.does !== 'set status' || !request.isEnabled) return;
  stage.people.set(request.account, await logIn(stage.gallery, stage.people.get(request.account)!));
}

function translateAnswer(stage: Stage, { status, body }: Answer): ModelAnswer {
  const { success, failed } = body.data ?? {};
  return {
    status,
    code: body.code,
    ...(body.errors && { errors: Object.keys(body.errors).sort() }),
    ...(success && { success: success.map((id: number) => findLabel(stage, 'photo', id)) }),
    ...(failed && {
      failed: failed.map(({ id, code }: { id: number; code: number }) => ({
        photo: findLabel(stage, 'photo', id),
        code,
      })),
    }),
  };
}

/** Returns the label of the photo or album with this id. */
export function findLabel({ ids }: Stage, kind: 'photo' | 'album', id: number): string {
  const found = [...ids].find(([label, one]) => one === id && label.startsWith(`${kind} `));
  return found ? found[0] : `unknown ${kind} ${id}`;
}
