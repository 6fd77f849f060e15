/** The people of the tests: a client each, who speaks HTTP as an application would. */
import type { Gallery } from './harness.ts';

export interface Answer {
  status: number;
  headers: Headers;
  /** The parsed envelope; `{}` where the answer is not JSON. */
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
  /** Uploads a file with fields as a form. */
  upload(file: Buffer, fields?: Record<string, string>, fileName?: string): Promise<Answer>;
  /** Any request; a body that is a string, buffer or form is sent as it is. */
  send(method: string, path: string, options?: SendOptions): Promise<Answer>;
}

export interface SendOptions {
  body?: string | Uint8Array<ArrayBuffer> | FormData;
  headers?: Record<string, string>;
}

export const password = 'correct horse 7';

/** Somebody without an account. */
export function nobody(gallery: Gallery): Person {
  return person(gallery, 'nobody', undefined, 0);
}

/** Registers somebody. Names are made unique by the test that chooses them. */
export async function register(gallery: Gallery, name: string): Promise<Person> {
  const { body } = await nobody(gallery).post('/api/auth/register', {
    username: name,
    email: `${name}@example.org`,
    password,
  });
  if (body.code !== 0) throw new Error(`${name} could not register: ${JSON.stringify(body)}`);
  return person(gallery, name, body.data.token, body.data.user.id);
}

/** Registers somebody and makes an admin of them, as the command line does. */
export async function registerAdmin(gallery: Gallery, name: string): Promise<Person> {
  const admin = await register(gallery, name);
  await gallery.deps.db.kysely.updateTable('users').set({ is_admin: 1 }).where('id', '=', admin.id).execute();
  return admin;
}

export function person(gallery: Gallery, name: string, token: string | undefined, id: number): Person {
  async function send(method: string, path: string, { body, headers }: SendOptions = {}): Promise<Answer> {
    const response = await fetch(gallery.url + path, {
      method,
      redirect: 'manual',
      headers: { ...(token && { authorization: `Bearer ${token}` }), ...headers },
      ...(body !== undefined && { body }),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    return {
      status: response.status,
      headers: response.headers,
      body: isJson && bytes.length > 0 ? JSON.parse(bytes.toString()) : {},
      bytes,
    };
  }

  function sendJson(method: string, path: string, body: unknown): Promise<Answer> {
    if (body === undefined) return send(method, path);
    return send(method, path, {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    });
  }

  return {
    name,
    token,
    id,
    send,
    get: (path, headers = {}) => send('GET', path, { headers }),
    post: (path, body) => sendJson('POST', path, body),
    put: (path, body) => sendJson('PUT', path, body),
    delete: (path) => send('DELETE', path),
    upload(file, fields = {}, fileName = 'photo.jpg') {
      const form = new FormData();
      for (const [field, value] of Object.entries(fields)) form.append(field, value);
      form.append('file', new Blob([new Uint8Array(file)]), fileName);
      return send('POST', '/api/photos/upload', { body: form });
    },
  };
}
