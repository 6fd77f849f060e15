/**
 * The rights table: the result of each endpoint for each role, for test/contract/rights.test.ts. More rows
 * are in rights-people.ts.
 */
import type { Answer, Person } from '../../support/people.ts';

/** Roles in the words of docs/visibility.md: a stranger has no credentials, and the member does not own the target. */
export const roles = ['stranger', 'member', 'owner', 'disabled', 'admin', 'reader'] as const;
export type Role = (typeof roles)[number];

/**
 * Response codes for the first five roles, in the order of `roles`. `expectedCode` computes the code of the
 * sixth, the reader.
 */
export type Codes = [number, number, number, number, number];

export interface Target {
  photo: number;
  share: { id: number; token: string };
  trashed: number;
  album: number;
  comment: number;
  owner: number;
  /** Id of a session of the owner. */
  session: number;
  key: number;
  passkey: number;
  webhook: number;
  delivery: number;
  /** Id of an open report about the photo. */
  report: number;
  /** Id of an account that no other test needs. */
  victim: number;
}

export interface Row {
  endpoint: string;
  /** Describes the request in the name of the test, if several rows have the same endpoint. */
  detail?: string;
  /** Codes for a public photo. `privateCodes` has the codes for a private photo if they differ. */
  codes: Codes;
  privateCodes?: Codes;
  /**
   * Codes for a photo for members. Without them, a stranger gets the code for a private photo, and everyone else the
   * code for a public photo.
   */
  membersCodes?: Codes;
  ask(who: Person, target: Target): Promise<Answer>;
}

export const signedIn: Codes = [401, 0, 0, 10006, 0];
export const readers: Codes = [0, 0, 0, 10006, 0];
export const ownerOnly: Codes = [401, 20004, 0, 10006, 0];
const everybody: Codes = [0, 0, 0, 0, 0];
/** Codes of requests that need the owner: an admin is refused like every other member. */
const ownerAlone: Codes = [401, 20004, 0, 10006, 20004];

const flip = { action: 'flip', params: { direction: 'h' } };
const emptyForm = () => {
  const form = new FormData();
  form.append('title', 'no file');
  return form;
};

/**
 * Rows whose requests lack a file or a name: a role that passes the guard gets the error for the missing
 * fields.
 */
export const coreRows: Row[] = [
  {
    endpoint: 'POST /api/auth/register',
    codes: [400, 400, 400, 400, 400],
    ask: (who) => who.post('/api/auth/register', {}),
  },
  {
    endpoint: 'POST /api/auth/login',
    codes: [400, 400, 400, 400, 400],
    ask: (who) => who.post('/api/auth/login', {}),
  },
  { endpoint: 'POST /api/auth/logout', codes: signedIn, ask: (who) => who.post('/api/auth/logout') },
  { endpoint: 'GET /api/auth/user', codes: signedIn, ask: (who) => who.get('/api/auth/user') },
  { endpoint: 'PUT /api/auth/profile', codes: signedIn, ask: (who) => who.put('/api/auth/profile', {}) },
  {
    endpoint: 'PUT /api/auth/password',
    codes: [401, 10005, 10005, 10006, 10005],
    ask: (who) => who.put('/api/auth/password', { old_password: 'wrong', new_password: 'long enough' }),
  },
  {
    endpoint: 'POST /api/auth/avatar',
    codes: [401, 400, 400, 10006, 400],
    ask: (who) => who.send('POST', '/api/auth/avatar', { body: emptyForm() }),
  },
  { endpoint: 'DELETE /api/auth/avatar', codes: signedIn, ask: (who) => who.delete('/api/auth/avatar') },
  { endpoint: 'GET /api/site', codes: everybody, ask: (who) => who.get('/api/site') },
  {
    endpoint: 'POST /api/photos/upload',
    codes: [401, 400, 400, 10006, 400],
    ask: (who) => who.send('POST', '/api/photos/upload', { body: emptyForm() }),
  },
  { endpoint: 'GET /api/photos', codes: readers, ask: (who) => who.get('/api/photos') },
  {
    endpoint: 'GET /api/photos/{id}',
    codes: readers,
    privateCodes: [20004, 20004, 0, 10006, 0],
    ask: (who, { photo }) => who.get(`/api/photos/${photo}`),
  },
  {
    endpoint: 'PUT /api/photos/{id}',
    codes: ownerOnly,
    ask: (who, { photo }) => who.put(`/api/photos/${photo}`, { title: 'changed' }),
  },
  ...([{ visibility: 'public' }, { is_public: 1 }] as const).map((level) => ({
    endpoint: 'PUT /api/photos/{id}',
    detail: JSON.stringify(level),
    codes: ownerOnly,
    membersCodes: ownerAlone,
    privateCodes: ownerAlone,
    ask: ((who, { photo }) => who.put(`/api/photos/${photo}`, level)) as Row['ask'],
  })),
  {
    endpoint: 'PUT /api/photos/{id}',
    detail: JSON.stringify({ visibility: 'members' }),
    codes: ownerOnly,
    privateCodes: ownerAlone,
    ask: (who, { photo }) => who.put(`/api/photos/${photo}`, { visibility: 'members' }),
  },
  ...([{ visibility: 'private' }, { is_public: 0 }] as const).map((level) => ({
    endpoint: 'PUT /api/photos/{id}',
    detail: JSON.stringify(level),
    codes: ownerOnly,
    ask: ((who, { photo }) => who.put(`/api/photos/${photo}`, level)) as Row['ask'],
  })),
  {
    endpoint: 'PUT /api/photos/{id}/sidecar',
    codes: ownerAlone,
    ask: (who, { photo }) => who.put(`/api/photos/${photo}/sidecar`, { description: 'a ridge' }),
  },
  {
    endpoint: 'DELETE /api/photos/{id}',
    codes: ownerOnly,
    ask: (who, { photo }) => who.delete(`/api/photos/${photo}`),
  },
  ...['like', 'favorite'].map((reaction) => ({
    endpoint: `POST /api/photos/{id}/${reaction}`,
    codes: signedIn,
    privateCodes: ownerOnly,
    ask: (who: Person, { photo }: Target) => who.post(`/api/photos/${photo}/${reaction}`),
  })),
  {
    endpoint: 'GET /api/photos/{id}/download',
    codes: signedIn,
    privateCodes: ownerOnly,
    ask: (who, { photo }) => who.get(`/api/photos/${photo}/download`),
  },
  {
    endpoint: 'POST /api/photos/{id}/edit',
    codes: ownerOnly,
    ask: (who, { photo }) => who.post(`/api/photos/${photo}/edit`, flip),
  },
  {
    endpoint: 'GET /api/photos/{id}/edits',
    codes: ownerOnly,
    ask: (who, { photo }) => who.get(`/api/photos/${photo}/edits`),
  },
  {
    endpoint: 'PUT /api/photos/{id}/edits',
    codes: ownerOnly,
    ask: (who, { photo }) => who.put(`/api/photos/${photo}/edits`, { steps: [flip] }),
  },
  {
    endpoint: 'POST /api/photos/{id}/revert',
    codes: ownerOnly,
    ask: (who, { photo }) => who.post(`/api/photos/${photo}/revert`, {}),
  },
  {
    endpoint: 'POST /api/photos/{id}/share',
    codes: signedIn,
    membersCodes: ownerAlone,
    privateCodes: ownerAlone,
    ask: (who, { photo }) => who.post(`/api/photos/${photo}/share`, { type: 'link' }),
  },
  { endpoint: 'GET /api/shares', codes: signedIn, ask: (who) => who.get('/api/shares') },
  {
    endpoint: 'DELETE /api/shares/{id}',
    codes: [401, 403, 0, 10006, 0],
    ask: (who, { share }) => who.delete(`/api/shares/${share.id}`),
  },
  {
    endpoint: 'GET /api/shares/{token}',
    codes: everybody,
    ask: (who, { share }) => who.get(`/api/shares/${share.token}`),
  },
  {
    endpoint: 'GET /api/shares/{token}/download',
    codes: everybody,
    ask: (who, { share }) => who.get(`/api/shares/${share.token}/download`),
  },
  {
    endpoint: 'POST /api/shares/{token}/unlock',
    codes: everybody,
    ask: (who, { share }) => who.post(`/api/shares/${share.token}/unlock`, { password: '' }),
  },
];

const withoutToken = [
  ...['register', 'login', 'oidc', 'forgot', 'reset'].map((name) => `/api/auth/${name}`),
  '/unlock',
];
const sessionOnly = ['logout', 'passkeys', 'password', 'email', 'sessions', 'setup', 'tokens', 'totp'].map(
  (name) => `/api/auth/${name}`,
);

/**
 * Returns the code that the role must get. The reader is a program with a read-only key of the owner, and can
 * change nothing.
 */
export function expectedCode(role: Role, endpoint: string, codes: Codes): number {
  if (role !== 'reader') return codes[roles.indexOf(role)]!;
  const [method, path] = endpoint.split(' ') as [string, string];
  if (path === '/api/auth/oidc/link') return 403;
  if (withoutToken.some((part) => path.includes(part))) return codes[2];
  if (sessionOnly.some((part) => path.startsWith(part))) return 403;
  return method === 'GET' ? codes[2] : 403;
}
