/**
 * Calls every registered route of a gallery for members as a visitor. A route that is not on the list below must answer
 * 401, whether the thing in its path exists or not. Pages lead to the sign-in page.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createApp } from '../../server/app.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { type Answer, addAlbum, addPhoto, asVisitor, type Person, register } from '../support/people.ts';
import { createJpeg } from '../support/pictures.ts';

/** Routes that visitors can call: sign-in, registration, recovery, the site, share links, operation, static files. */
const open = [
  'POST /api/auth/register',
  'POST /api/auth/login',
  'POST /api/auth/login/second',
  'POST /api/auth/login/passkey',
  'POST /api/auth/login/passkey/options',
  'GET /api/auth/oidc',
  'POST /api/auth/oidc',
  'GET /api/auth/oidc/callback',
  'POST /api/auth/forgot',
  'POST /api/auth/reset',
  'POST /api/auth/email/confirm',
  'GET /api/site',
  'GET /api/shares/:token',
  'POST /api/shares/:token/unlock',
  'GET /api/shares/:token/download',
  'GET /s/:token',
  'POST /s/:token',
  'GET /health',
  'GET /health/live',
  'GET /health/serving',
  'GET /health/ready',
  'GET /metrics',
  'GET /openapi.json',
  'GET /docs',
  'GET /docs/start.js',
  'GET /docs/swagger-ui.js',
  'GET /docs/swagger-ui.css',
  'GET /docs/icon.png',
  'GET /icon.svg',
  'GET /logo-:hash.webp',
  'GET /robots.txt',
  'GET /sitemap.xml',
  'GET /sitemap/:file',
  'GET /assets/:name',
  'GET /manifest.webmanifest',
  // The service worker has no data. Another app may share files before the user has signed in.
  'GET /service-worker.js',
  'GET /offline',
  'POST /share-target',
  'GET /sign-in',
  'GET /signed-in',
  'GET /register',
  'GET /join/:token',
  'GET /forgot',
  'GET /reset',
  'GET /confirm-email',
  'GET /first-run',
];
/** Routes of a gallery whose pages are not built. */
const unbuilt = ['GET /', 'GET /unbuilt.css'];

interface RegisteredRoute {
  method: string;
  url: string;
}

const missing = 987_654_321;

describe('a visitor of a gallery for members', () => {
  let gallery: Gallery;
  let owner: Person;
  let routes: RegisteredRoute[];
  let ids: Record<string, number | string>;
  let avatar: string;

  before(async () => {
    gallery = await startGallery({ access: 'members', registration: 'open' });
    routes = await collectRoutes();
    owner = await register(gallery, 'owner');
    ids = await makeScene();
  });
  after(() => gallery.close());

  /** Collects all routes, except those that the server adds for HEAD and OPTIONS. */
  async function collectRoutes(): Promise<RegisteredRoute[]> {
    const found: RegisteredRoute[] = [];
    const app = await createApp(gallery.deps, {
      async observe(app) {
        app.addHook('onRoute', ({ method, url }) => {
          for (const one of [method].flat()) found.push({ method: one, url });
        });
      },
    });
    await app.close();
    return found.filter(({ method }) => method !== 'HEAD' && method !== 'OPTIONS');
  }

  async function makeScene(): Promise<Record<string, number | string>> {
    const album = await addAlbum(owner, 'Summer');
    const photo = await addPhoto(owner, { title: 'Lake', tags: 'lake', album_id: String(album) });
    const comment = await owner.post(`/api/photos/${photo.id}/comments`, { content: 'Cold!' });
    const share = await owner.post(`/api/photos/${photo.id}/share`, { type: 'link' });
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(await createJpeg())]), 'face.jpg');
    const face = await owner.send('POST', '/api/auth/avatar', { body: form });
    avatar = face.body.data.avatar;
    return {
      photos: photo.id,
      albums: album,
      comments: comment.body.data.id,
      shares: share.body.data.id,
      users: owner.id,
      storage: photo.thumb.split('?')[0]!.slice('/storage/'.length),
    };
  }

  /** Fills the parameters of a path: with things that exist, or with others. */
  function fill(url: string, isThere: boolean): string {
    const noun = url.split('/').find((part) => part in ids) ?? '';
    return url.replace(/:\w+/g, (name) => {
      if (name === ':token') return 'x'.repeat(43);
      return String(isThere && ids[noun] !== undefined ? ids[noun] : missing);
    });
  }

  const ask = (method: string, path: string): Promise<Answer> =>
    ['POST', 'PUT', 'PATCH'].includes(method)
      ? asVisitor(gallery).send(method, path, { body: '{}', headers: { 'content-type': 'application/json' } })
      : asVisitor(gallery).send(method, path, { headers: { accept: 'text/html' } });

  test('gets 401 or the sign-in page from every route that is not on the list', async () => {
    const wrong: string[] = [];
    const hasPages = routes.some(({ url }) => url === '/sign-in');
    for (const { method, url } of routes) {
      const isOpen = [...open, ...(hasPages ? [] : unbuilt)].includes(`${method} ${url}`);
      const answers: Answer[] = [];
      for (const isThere of [true, false]) {
        const path = fill(url, isThere);
        const answer = await ask(method, path);
        answers.push(answer);
        const leads = answer.headers.get('location')?.startsWith('/sign-in') === true;
        const isRefused = answer.body.code === 401 || (answer.status === 303 && leads);
        if (isRefused === isOpen) wrong.push(`${method} ${path}: ${answer.status}`);
      }
      if (!isOpen && answers[0]!.status === 401) assert.deepEqual(answers[0]!.body, answers[1]!.body, url);
    }
    assert.deepEqual(wrong, []);
    assert.ok(routes.length > 150, `${routes.length} routes`);
  });

  test('has a list of open routes that all exist', () => {
    const known = new Set(routes.map(({ method, url }) => `${method} ${url}`));
    const pages = known.has('GET /sign-in') ? [] : open.filter((route) => !route.includes('/api/'));
    assert.deepEqual(
      open.filter((route) => !known.has(route) && !pages.includes(route)),
      [],
    );
  });

  test('learns nothing from unknown paths, other methods, HEAD and malformed requests', async () => {
    for (const [method, path] of [
      ['GET', '/api/nothing'],
      ['GET', '/api/shares/'],
      ['POST', `/api/photos/${ids.photos}`],
      ['PATCH', `/api/photos/${ids.photos}`],
      ['GET', '/api/photos/not-a-number'],
      ['GET', '/api/photos?page=-1'],
      ['GET', '/nothing'],
      ['POST', '/photos/1'],
      ['GET', '/storage/nothing'],
      ['GET', `/storage/${'0'.repeat(32)}.thumb.webp`],
      ['GET', `/storage/${ids.storage}?g=u${owner.id}&e=9999999999&s=${'x'.repeat(22)}`],
      ['GET', avatar.split('?')[0]!],
    ] as const) {
      const response = await fetch(gallery.url + path, { method });
      const { code } = (await response.json()) as { code: number };
      assert.deepEqual([response.status, code], [401, 401], `${method} ${path}`);
    }
    const visitor = asVisitor(gallery);
    for (const id of [ids.photos, missing]) {
      assert.equal((await visitor.send('HEAD', `/api/photos/${id}`)).status, 401);
      const broken = { body: '{', headers: { 'content-type': 'application/json' } };
      assert.equal((await visitor.send('PUT', `/api/photos/${id}`, broken)).status, 401);
    }
  });

  test('gets the same answer to a preflight for every id', async () => {
    const preflight = async (id: unknown) => {
      const { status, headers, bytes } = await asVisitor(gallery).send('OPTIONS', `/api/photos/${id}`, {
        headers: { origin: 'https://app.example.org', 'access-control-request-method': 'GET' },
      });
      const told = [...headers].filter(([name]) => name.startsWith('access-control') || name === 'allow');
      return { status, told, bytes: bytes.toString() };
    };
    assert.deepEqual(await preflight(ids.photos), await preflight(missing));
  });

  test('is led back only to a path of this gallery', async () => {
    const led = async (path: string) => {
      const answer = await asVisitor(gallery).get(path, { accept: 'text/html' });
      return answer.headers.get('location');
    };
    assert.equal(await led('/photos/3?from=mail'), '/sign-in?to=%2Fphotos%2F3%3Ffrom%3Dmail');
    assert.equal(await led('/nothing'), '/sign-in?to=%2Fnothing');
    assert.equal(await led('/'), '/sign-in');
    for (const path of ['//evil.example', '//evil.example/photos/3', '/%5Cevil.example/..//']) {
      const to = new URL((await led(path)) ?? '/', 'http://own.example').searchParams.get('to') ?? '/';
      assert.equal(new URL(to, 'http://own.example').origin, 'http://own.example', path);
    }
  });

  test('reads no counts and no names in /api/site, and robots.txt forbids everything', async () => {
    const { body } = await asVisitor(gallery).get('/api/site');
    assert.equal(body.data.access, 'members');
    assert.ok(!JSON.stringify(body).includes('owner'));
    const { bytes } = await asVisitor(gallery).get('/robots.txt');
    assert.equal(bytes.toString(), 'User-agent: *\nDisallow: /\n');
  });

  test('is refused with an invalid token too, and a member is not', async () => {
    const { body } = await asVisitor(gallery).get('/api/photos', { authorization: 'Bearer nonsense' });
    assert.equal(body.code, 10006);
    assert.equal((await owner.get('/api/photos')).body.data.pagination.total, 1);
    assert.equal((await owner.get(`/api/photos/${missing}`)).body.code, 20003);
    assert.equal((await owner.get('/api/nothing')).status, 404);
  });

  test('the server logged no error during these tests', () => assert.deepEqual(gallery.complaints(), []));
});
