/** Who may do what: every endpoint, asked by everybody, of a public photo and of a private one. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { startSession } from '../../server/auth/sessions.ts';
import { assertRefused } from '../answers.ts';
import { type Gallery, startGallery } from '../harness.ts';
import {
  type Answer,
  addPhoto,
  disable,
  nobody,
  type Person,
  person,
  register,
  registerAdmin,
} from '../people.ts';
import { jpeg } from '../pictures.ts';

const roles = ['nobody', 'stranger', 'owner', 'disabled', 'admin'] as const;
type Role = (typeof roles)[number];

/** What each of the roles gets, in their order: a code of the envelope. */
type Codes = [number, number, number, number, number];

interface Target {
  photo: number;
  share: { id: number; token: string };
}

interface Row {
  endpoint: string;
  /** Of a public photo, and of a private one where that differs. */
  codes: Codes;
  privateCodes?: Codes;
  ask(who: Person, target: Target): Promise<Answer>;
}

const signedIn: Codes = [401, 0, 0, 10006, 0];
const readers: Codes = [0, 0, 0, 10006, 0];
const ownerOnly: Codes = [401, 20004, 0, 10006, 0];
const everybody: Codes = [0, 0, 0, 0, 0];

const flip = { action: 'flip', params: { direction: 'h' } };
const emptyForm = () => {
  const form = new FormData();
  form.append('title', 'no file');
  return form;
};

/** A form without a file, a login without a name: what gets past the guard shows by the fields that it misses. */
const rows: Row[] = [
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
    endpoint: 'POST /api/photos/{id}/revert',
    codes: ownerOnly,
    ask: (who, { photo }) => who.post(`/api/photos/${photo}/revert`, {}),
  },
  {
    endpoint: 'POST /api/photos/{id}/share',
    codes: signedIn,
    privateCodes: ownerOnly,
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
    endpoint: 'POST /api/shares/{token}/unlock',
    codes: everybody,
    ask: (who, { share }) => who.post(`/api/shares/${share.token}/unlock`, { password: '' }),
  },
];

const statusOf: Record<number, number> = { 0: 200, 10005: 400, 10006: 401, 20004: 403 };

describe('rights', () => {
  let gallery: Gallery;
  let people: Record<Role, Person>;
  let picture: Buffer;

  before(async () => {
    gallery = await startGallery();
    const owner = await register(gallery, 'owner');
    const disabled = await register(gallery, 'disabled');
    await disable(gallery, disabled);
    people = {
      nobody: nobody(gallery),
      stranger: await register(gallery, 'stranger'),
      owner,
      disabled,
      admin: await registerAdmin(gallery, 'admin'),
    };
    picture = await jpeg({ width: 32, height: 24 });
  });
  after(() => gallery.close());

  test('the table has a row for every endpoint of the contract', () => {
    const contract = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'));
    const endpoints = Object.entries<object>(contract.paths).flatMap(([path, methods]) =>
      Object.keys(methods)
        .filter((method) => ['get', 'post', 'put', 'delete'].includes(method))
        .map((method) => `${method.toUpperCase()} ${path}`),
    );
    const named = (endpoint: string) => endpoint.replace(/\{\w+\}/g, '{}');
    assert.deepEqual(
      [...new Set(rows.map(({ endpoint }) => named(endpoint)))].sort(),
      [...new Set(endpoints.filter((endpoint) => endpoint.includes(' /api/')).map(named))].sort(),
    );
  });

  for (const { endpoint, codes, privateCodes, ask } of rows) {
    for (const [visibility, expected] of [
      ['public', codes],
      ['private', privateCodes ?? codes],
    ] as const) {
      test(`${endpoint}, ${visibility}`, async () => {
        let target: Target | undefined;
        for (const [index, role] of roles.entries()) {
          target ??= await makeTarget(visibility === 'public' ? '1' : '0');
          const before = await everything(target.photo);
          const answer = await ask(await signedInAnew(people[role]), target);
          const code = expected[index]!;
          const context = `${role}: ${answer.bytes.subarray(0, 200)}`;
          assert.deepEqual([answer.status, answer.body.code ?? 0], [statusOf[code] ?? code, code], context);
          if (code === 0) {
            target = undefined;
            continue;
          }
          assertRefused(
            answer,
            statusOf[code] ?? code,
            code,
            code === 400 ? Object.keys(answer.body.errors) : undefined,
          );
          assert.deepEqual(await everything(target.photo), before, `${role} changed something`);
        }
      });
    }
  }

  async function makeTarget(isPublic: string): Promise<Target> {
    const { id } = await addPhoto(people.owner, { title: 'target', is_public: isPublic }, picture);
    const { body } = await people.owner.post(`/api/photos/${id}/share`, { type: 'link' });
    return { photo: id, share: { id: body.data.id, token: body.data.url.split('/').at(-1) } };
  }

  /** In a session of its own, since some of what is asked ends it. */
  async function signedInAnew(who: Person): Promise<Person> {
    if (who.id === 0) return who;
    const token = await startSession(gallery.deps, who.id, { userAgent: '', ip: '' });
    return person(gallery, who.name, token, who.id);
  }

  /** What a refused request must leave as it was. */
  async function everything(photo: number) {
    const { kysely } = gallery.deps.db;
    const rowsOf = (table: 'likes' | 'favorites' | 'shares' | 'edits' | 'images') =>
      kysely.selectFrom(table).selectAll().where('photo_id', '=', photo).execute();
    const photos = await kysely.selectFrom('photos').selectAll().where('id', '=', photo).execute();
    const users = await kysely.selectFrom('users').selectAll().orderBy('id').execute();
    const tables = ['likes', 'favorites', 'shares', 'edits', 'images'] as const;
    return {
      photos,
      users,
      ...Object.fromEntries(await Promise.all(tables.map(async (table) => [table, await rowsOf(table)]))),
    };
  }

  test('what is not there is 20003 for everybody who is signed in', async () => {
    for (const role of ['stranger', 'owner', 'admin'] as const) {
      for (const { ask } of rows.filter((row) => row.endpoint.includes('/photos/{id}'))) {
        const answer = await ask(people[role], { photo: 987_654_321, share: { id: 1, token: '' } });
        assertRefused(answer, 404, 20003);
      }
    }
  });

  test('nothing of all this went wrong on the server', () => assert.deepEqual(gallery.complaints(), []));
});
