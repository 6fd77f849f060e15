/** Test users. Each user has a client that speaks HTTP like an application. */
import assert from 'node:assert/strict';
import { setUserStatus } from '../../server/gallery/users/follows/follows.ts';
import type { LevelName } from '../../server/platform/db/states.ts';
import { findContractViolations } from './contract.ts';
import type { Gallery } from './harness.ts';
import { createJpeg } from './pictures.ts';

export interface Answer {
  status: number;
  headers: Headers;
  /** The parsed envelope, or `{}` if the response is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  body: any;
  bytes: Buffer;
}

export interface Person {
  name: string;
  token: string | undefined;
  id: number;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  post(path: string, body?: unknown): Promise<Answer>;
  put(path: string, body?: unknown): Promise<Answer>;
  delete(path: string): Promise<Answer>;
  /** Uploads a file with fields as a multipart form. */
  upload(file: Buffer, fields?: Record<string, string>, fileName?: string): Promise<Answer>;
  /** Sends any request. A body that is a string, buffer or form is sent unchanged. */
  send(method: string, path: string, options?: SendOptions): Promise<Answer>;
}

export interface SendOptions {
  body?: string | Uint8Array<ArrayBuffer> | FormData;
  headers?: Record<string, string>;
}

export const password = 'correct horse 7';

/** The part of a gallery that a client needs. A server in a separate process has the same part. */
export type GalleryUrl = Pick<Gallery, 'url'>;

/** Creates a client without an account. */
export function asVisitor(gallery: GalleryUrl): Person {
  return createPerson(gallery, 'anonymous', undefined, 0);
}

/**
 * Sends a visitor's request from an IP address, so that its rate limit is its own. The gallery must trust
 * proxy headers.
 */
export function postFrom(gallery: GalleryUrl, address: string, path: string, body: object): Promise<Answer> {
  return asVisitor(gallery).send('POST', path, {
    body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': address },
  });
}

/** Registers a user. Tests choose unique names. */
export async function register(gallery: GalleryUrl, name: string): Promise<Person> {
  const { body } = await asVisitor(gallery).post('/api/auth/register', {
    username: name,
    email: `${name}@example.org`,
    password,
  });
  if (body.code !== 0) throw new Error(`${name} could not register: ${JSON.stringify(body)}`);
  return createPerson(gallery, name, body.data.token, body.data.user.id);
}

/** Registers a user and makes the user an admin, like the command line does. */
export async function registerAdmin(gallery: Gallery, name: string): Promise<Person> {
  const admin = await register(gallery, name);
  await gallery.deps.db.kysely.updateTable('users').set({ is_admin: 1 }).where('id', '=', admin.id).execute();
  return admin;
}

/** Logs the same person in again, with another session. */
export async function logIn(gallery: GalleryUrl, { name, id }: Person, secret = password): Promise<Person> {
  const { body } = await asVisitor(gallery).post('/api/auth/login', { username: name, password: secret });
  if (body.code !== 0) throw new Error(`${name} could not log in: ${JSON.stringify(body)}`);
  return createPerson(gallery, name, body.data.token, id);
}

/** Disables an account like the command line does. */
export async function disableAccount(gallery: Gallery, { id }: Person): Promise<void> {
  await gallery.deps.db.kysely
    .transaction()
    .execute((transaction) => setUserStatus(gallery.deps, transaction, id, 0));
}

/** The data of an upload's response. */
export interface UploadedPhoto {
  id: number;
  title: string;
  path: string;
  thumb: string;
  width: number;
  height: number;
  size: number;
}

const maxTries = 20;

/** Repeats the request after a 503, because many simultaneous writes may time out on a busy machine. */
export async function retryUntilServed(ask: () => Promise<Answer>, tries = 1): Promise<Answer> {
  const answer = await ask();
  return answer.status === 503 && tries < maxTries ? retryUntilServed(ask, tries + 1) : answer;
}

/** Uploads a picture that the server must accept. Without a given picture, uploads one of a single color. */
export async function addPhoto(
  owner: Person,
  fields: Record<string, string> = {},
  picture?: Buffer,
): Promise<UploadedPhoto> {
  const file = picture ?? (await createJpeg());
  const { body } = await retryUntilServed(() => owner.upload(file, fields));
  if (body.code !== 0) throw new Error(`${owner.name} could not upload: ${JSON.stringify(body)}`);
  return body.data;
}

/** Creates an album and returns its id. A `parentId` of 0 creates the album at the top level. */
interface AlbumChoices {
  isPublic?: boolean;
  /** Level of the album, instead of `isPublic`. */
  visibility?: LevelName;
  parentId?: number;
}

export async function addAlbum(
  owner: Person,
  name: string,
  { isPublic = true, visibility, parentId = 0 }: AlbumChoices = {},
): Promise<number> {
  const level = visibility === undefined ? { is_public: Number(isPublic) } : { visibility };
  const album = { name, ...level, parent_id: parentId };
  const { body } = await owner.post('/api/albums', album);
  if (body.code !== 0) throw new Error(`${owner.name} could not create an album: ${JSON.stringify(body)}`);
  return body.data.id;
}

export function createPerson(
  gallery: GalleryUrl,
  name: string,
  token: string | undefined,
  id: number,
): Person {
  async function sendRequest(
    method: string,
    path: string,
    { body, headers }: SendOptions = {},
  ): Promise<Answer> {
    const response = await fetch(gallery.url + path, {
      method,
      redirect: 'manual',
      headers: { ...(token && { authorization: `Bearer ${token}` }), ...headers },
      ...(body !== undefined && { body }),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    const { status } = response;
    const broken = findContractViolations(method, path, { status, headers: response.headers, bytes });
    assert.deepEqual(
      broken,
      [],
      `${method} ${path} answers what openapi.json does not promise: ${bytes.toString('utf8', 0, 500)}`,
    );
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    return {
      status,
      headers: response.headers,
      body: isJson && bytes.length > 0 ? JSON.parse(bytes.toString()) : {},
      bytes,
    };
  }

  function sendJson(method: string, path: string, body: unknown): Promise<Answer> {
    if (body === undefined) return sendRequest(method, path);
    return sendRequest(method, path, {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    });
  }

  return {
    name,
    token,
    id,
    send: sendRequest,
    get: (path, headers = {}) => sendRequest('GET', path, { headers }),
    post: (path, body) => sendJson('POST', path, body),
    put: (path, body) => sendJson('PUT', path, body),
    delete: (path) => sendRequest('DELETE', path),
    upload(file, fields = {}, fileName = 'photo.jpg') {
      const form = new FormData();
      for (const [field, value] of Object.entries(fields)) form.append(field, value);
      form.append('file', new Blob([new Uint8Array(file)]), fileName);
      return sendRequest('POST', '/api/photos/upload', { body: form });
    },
  };
}
