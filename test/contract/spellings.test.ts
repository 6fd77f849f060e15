import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import pino from 'pino';
import { createApp } from '../../server/app.ts';
import { guardApi } from '../../server/gallery/identity/guard.ts';
import type { App } from '../../server/platform/http/app.ts';
import { startGallery } from '../support/harness.ts';
import { addPhoto, register, registerAdmin } from '../support/people.ts';
import {
  asAnonymous,
  ask,
  assertNeverMore,
  asUser,
  type Guarded,
  listSpellings,
  startGuarded,
} from './steps/spellings.ts';

describe('a path written in another way', () => {
  let guarded: Guarded;
  before(async () => {
    guarded = await startGuarded();
  });
  after(() => guarded.gallery.close());

  test('an alternative spelling of a path grants nobody more than the plain path', async () => {
    const { gallery, operations } = guarded;
    assert.ok(operations.length > 80, `${operations.length} operations`);
    await assertNeverMore(gallery, operations, asAnonymous);
  });

  test('an alternative spelling of a path grants a user nothing that only admins can do', async () => {
    const { gallery, operations, stranger } = guarded;
    const ofAdmins = operations.filter(({ path }) => path.startsWith('/api/admin/'));
    assert.ok(ofAdmins.length > 8);
    await assertNeverMore(gallery, ofAdmins, asUser(stranger));
    const reads = operations.filter(
      // The account export is left out: the limit of parallel archives per caller would refuse many spellings.
      ({ method, path }) =>
        method === 'GET' && path !== '/api/auth/export' && !ofAdmins.some((one) => one.path === path),
    );
    await assertNeverMore(gallery, reads, asUser(stranger));
  });

  test('a spelling that the router accepts requires the same rights as the plain path', async () => {
    const { gallery, stranger } = guarded;
    const admin = await registerAdmin(gallery, 'admin');
    for (const target of ['/%61pi/admin/users', '/ap%69/admin/users', 'http://x/api/admin/users']) {
      const [anonymous, user, ruler] = await Promise.all(
        [asAnonymous, asUser(stranger), asUser(admin)].map((headers) => ask(gallery, 'GET', target, headers)),
      );
      assert.deepEqual([anonymous!.status, anonymous!.body.code], [401, 401], target);
      assert.deepEqual([user!.status, user!.body.code], [403, 403], target);
      assert.deepEqual([ruler!.status, ruler!.body.code], [200, 0], target);
      assert.doesNotMatch(anonymous!.text + user!.text, /@example\.org/);
      assert.match(ruler!.text, /@example\.org/);
    }
  });

  test('a spelling with another method or of an unknown path is answered like the plain path', async () => {
    const { gallery } = guarded;
    for (const [method, target, allow] of [
      ['PATCH', '/%61pi/photos', /GET.*|POST/],
      ['PROPFIND', '/api/photos', /GET/],
      ['GET', 'http://x/api/photos/upload', /^POST$/],
      ['GET', '/api/photos/%75pload', /^POST$/],
    ] as const) {
      const answer = await ask(gallery, method, target);
      assert.deepEqual([answer.status, answer.body.code], [405, 405], `${method} ${target}`);
      assert.match(answer.headers.get('allow') ?? '', allow, `${method} ${target}`);
    }
    for (const target of ['*', '/%61pi/admin/users', 'http://x/api/nothing']) {
      const { status, text } = await ask(gallery, 'OPTIONS', target);
      assert.deepEqual([status, text], [204, ''], `OPTIONS ${target}`);
    }
    for (const target of ['/%61pi/nothing', '/api', '/api/', 'http://x/nothing', '/%2561pi/photos']) {
      const answer = await ask(gallery, 'GET', target);
      assert.deepEqual([answer.status, answer.body.code], [404, 404], target);
    }
  });

  test('a path with an empty segment is unknown to every role', async () => {
    const { gallery, owner } = guarded;
    const paths = [
      '/api/photos/',
      '/api/albums/',
      '/api/users/',
      '/api/photos//download',
      '/api/users//photos',
    ];
    for (const path of [
      ...paths,
      '/%61pi/photos/',
      '/api/shares/',
      '/api/shares//unlock',
      '/s/',
      '/storage/',
    ]) {
      for (const method of ['GET', 'PUT', 'POST', 'DELETE', 'PATCH']) {
        for (const headers of [asAnonymous, asUser(owner)]) {
          const answer = await ask(gallery, method, path, headers);
          assert.equal(answer.status, 404, `${method} ${path}: ${answer.text}`);
          assert.equal(answer.headers.get('allow'), undefined);
          if (!path.startsWith('/s')) assert.deepEqual(Object.keys(answer.body), ['code', 'message']);
        }
      }
    }
  });

  test('a route below /api cannot be added without an access level or without the access hook', async () => {
    const { deps } = guarded.gallery;
    const start = (observe: (app: App) => Promise<void>) => createApp(deps, { observe });
    const auth = { config: { auth: 'none' as const } };
    const outside = /GET \/\w+(\/open)? is registered on the wrong side of the access hook/;
    for (const url of ['/api', '/api/open', '/API/open']) {
      await assert.rejects(
        start(async (app) => void app.get(url, auth, async () => 'open')),
        outside,
      );
    }
    const inside = (url: string, config: object) =>
      start(async (app) => {
        await app.register(async (scope) => {
          guardApi(scope, deps);
          scope.get(url, { config }, async () => 'open');
        });
      });
    await assert.rejects(inside('/pages', auth.config), outside);
    for (const config of [{}, { auth: undefined }, { auth: 'everybody' }, { auth: 'toString' }]) {
      await assert.rejects(inside('/api/open', config), /GET \/api\/open does not declare who can call it/);
    }
    const undeclared = /GET \/open does not declare whether visitors can call it/;
    await assert.rejects(
      start(async (app) => void app.get('/open', async () => 'open')),
      undeclared,
    );
    await (await inside('/api/open', auth.config)).close();
    await (await start(async () => {})).close();
  });

  test('the server logged no error during these tests', () => {
    assert.deepEqual(guarded.gallery.complaints(), []);
  });
});

test('all spellings of a path count against the same rate limit', async () => {
  const limit = 30;
  const gallery = await startGallery({ rateLimit: limit });
  try {
    const good: string[] = [];
    for (const target of listSpellings('/api/photos')) {
      const { status, headers } = await ask(gallery, 'HEAD', target);
      if (headers.has('x-ratelimit-remaining')) good.push(target);
      else assert.ok([400, 404].includes(status), `${target}: ${status}, uncounted`);
    }
    assert.ok(
      good.length >= 8 && good.includes('/%61pi/photos') && good.includes('http://x/api/photos'),
      `${good}`,
    );
    const others = [
      ['GET', '/%61pi/nothing'],
      ['PROPFIND', '/ap%69/photos'],
      ['PATCH', 'http://x/api/photos'],
      ['GET', '/api/photos/'],
    ] as const;
    let left = limit - good.length;
    for (const [method, target] of others) {
      const { headers } = await ask(gallery, method, target);
      assert.equal(headers.get('x-ratelimit-remaining'), String(--left), `${method} ${target}`);
    }
    while (left > 0) {
      const { headers } = await ask(gallery, 'GET', good[left % good.length]!);
      assert.equal(headers.get('x-ratelimit-remaining'), String(--left));
    }
    for (const target of good) assert.equal((await ask(gallery, 'GET', target)).status, 429, target);
    for (const [method, target] of others)
      assert.equal((await ask(gallery, method, target)).status, 429, target);
  } finally {
    await gallery.close();
  }
});

test('the log names the route, and contains no token in any spelling', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => lines.push(line) });
  const gallery = await startGallery({}, { log });
  try {
    const owner = await register(gallery, 'owner');
    const { id } = await addPhoto(owner);
    const { body } = await owner.post(`/api/photos/${id}/share`, { type: 'link' });
    const token: string = body.data.url.split('/').at(-1);
    const paths = [
      `/s/${token}`,
      `/api/shares/${token}`,
      `/api/shares/${token}/unlock`,
      `/api/shares/${token}/download`,
    ];
    const odd = [`/s/${token}/x`, `/api/shares//${token}`, `/share/${token}`, `/${token}`, `/s/x?t=${token}`];
    for (const path of [...paths, ...odd, ...paths.flatMap(listSpellings)]) {
      for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS', 'PATCH']) await ask(gallery, method, path);
    }
    await owner.get(`/api/photos/${id}/comments?page=1`);
    const log = lines
      .join('')
      .replace(/%(25)*([0-9a-f]{2})/gi, (_, __, code) => String.fromCharCode(Number.parseInt(code, 16)));
    assert.ok(!log.toLowerCase().includes(token.toLowerCase()), 'the token is in the log');
    const written = lines.map((line) => JSON.parse(line).path);
    for (const path of ['/s/:token', '/api/shares/:token/unlock', `/api/photos/${id}/comments`, '/share/…']) {
      assert.ok(written.includes(path), `${path}: ${[...new Set(written)]}`);
    }
  } finally {
    await gallery.close();
  }
});
