/** Sends the requests of the model to a real gallery. */
import {
  type Answer,
  asVisitor,
  createPerson,
  logIn,
  type Person,
  password,
  retryUntilServed,
} from '../people.ts';
import type { LevelFields } from './levels.ts';
import type { AddedPhoto, ModelAnswer, ModelRequest, Place } from './requests.ts';
import { addPerson, findLabel, type Stage } from './stage.ts';

/** Returns the labels that a request needs and does not create. */
export function listNeeded(request: ModelRequest): string[] {
  const {
    into,
    photos = [],
    photo,
    album,
    share,
  }: { into?: Place; photos?: string[]; photo?: string; album?: string; share?: string } = request as object;
  const created: Record<string, string | undefined> = {
    upload: photo,
    'create album': album,
    'share album': share,
  };
  return [into, ...photos, photo, album, share]
    .filter((label) => label !== undefined)
    .filter((label) => label !== 'none' && label !== created[request.does]);
}

/** Sends a request, and returns the answer in the words of the model. */
export async function send(stage: Stage, request: ModelRequest): Promise<ModelAnswer> {
  const person = stage.people.get(request.by)!;
  // Uploads in different seconds, so that it is known which photo is the newest.
  if (request.does === 'upload') stage.gallery.travel(1);
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
        ...(request.isSmart && { rule: 'tag:model' }),
      });
    case 'update album':
      return person.put(`/api/albums/${id(request.album)}`, {
        ...request.fields,
        ...parentField(stage, request.into),
      });
    case 'delete album':
      return person.delete(`/api/albums/${id(request.album)}`);
    case 'choose cover':
      return person.put(`/api/albums/${id(request.album)}`, { cover_id: placeId(stage, request.photo) });
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
      return person.post(`/api/albums/${id(request.album)}/photos`, {
        ids: request.photos.map(id),
        ...(request.isMove && { move: true }),
      });
    case 'remove from album':
      return person.send('DELETE', `/api/albums/${id(request.album)}/photos`, {
        body: JSON.stringify({ ids: request.photos.map(id) }),
        headers: { 'content-type': 'application/json' },
      });
    case 'order album':
      return person.put(`/api/albums/${id(request.album)}/order`, { ids: request.photos.map(id) });
    case 'share album':
      return person.post(`/api/albums/${id(request.album)}/share`, { type: 'link' });
    case 'end share':
      return person.delete(`/api/shares/${id(request.share)}`);
    case 'delete account':
      return person.delete(`/api/admin/users/${id(request.account)}`);
    case 'register':
      return asVisitor(stage.gallery).post('/api/auth/register', {
        username: request.account,
        email: `${request.account}@example.org`,
        password,
      });
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
  const { ids, people, gallery } = stage;
  switch (request.does) {
    case 'create album':
      ids.set(request.album, body.data.id);
      break;
    case 'upload':
      ids.set(request.photo, body.data.id);
      stage.thumbs.set(request.photo, body.data.thumb.split('?')[0]);
      break;
    case 'share album':
      ids.set(request.share, body.data.id);
      stage.links.set(request.share, { token: body.data.url.split('/').at(-1), album: request.album });
      break;
    case 'register': {
      const { token, user } = body.data;
      await addPerson(stage, request.account, createPerson(gallery, request.account, token, user.id));
      break;
    }
    case 'set status':
      if (request.isEnabled) people.set(request.account, await logIn(gallery, people.get(request.account)!));
  }
}

function translateAnswer(stage: Stage, { status, body }: Answer): ModelAnswer {
  const { success, failed, photos } = body.data ?? {};
  const label = (id: number) => findLabel(stage, 'photo', id);
  return {
    status,
    code: body.code,
    ...(body.errors && { errors: Object.keys(body.errors).sort() }),
    ...(success && { success: success.map(label) }),
    ...(failed && {
      failed: failed.map(({ id, code }: { id: number; code: number }) => ({ photo: label(id), code })),
    }),
    ...(photos && {
      photos: photos.map(({ id, ...place }: { id: number } & Omit<AddedPhoto, 'photo'>) => ({
        photo: label(id),
        ...place,
      })),
    }),
  };
}
