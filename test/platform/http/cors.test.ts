import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { readConfig } from '../../../server/config.ts';
import { assertRead } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { asVisitor } from '../../support/people.ts';

const app = 'https://app.example.org';
const strangers = [
  'https://evil.example',
  'https://app.example.org.evil.example',
  'https://evil-app.example.org',
  'http://app.example.org',
  'https://app.example.org:8443',
  'https://APP.example.org',
  'null',
];

const readCorsOrigins = (origins: string | undefined, production: boolean) =>
  readConfig({ ...(origins && { CORS_ORIGINS: origins }), ...(production && { NODE_ENV: 'production' }) })
    .corsOrigins;

describe('calls from other origins', () => {
  describe('in development', () => {
    let gallery: Gallery;
    before(async () => {
      gallery = await startGallery({ corsOrigins: readCorsOrigins(undefined, false) });
    });
    after(() => gallery.close());

    test('are allowed from everywhere, without credentials', async () => {
      for (const origin of [app, ...strangers]) {
        const answer = await asVisitor(gallery).get('/api/photos', { origin });
        assertRead(answer);
        assert.equal(answer.headers.get('access-control-allow-origin'), '*');
        assert.equal(answer.headers.get('access-control-allow-credentials'), null);
      }
    });

    test('are told the methods of a path by OPTIONS, also without an origin', async () => {
      const ask = async (path: string) => {
        const { status, headers } = await asVisitor(gallery).send('OPTIONS', path);
        return [status, headers.get('allow')?.split(', ').sort().join(' ')];
      };
      assert.deepEqual(await ask('/api/photos'), [204, 'GET HEAD OPTIONS']);
      assert.deepEqual(await ask('/api/photos/1'), [204, 'DELETE GET HEAD OPTIONS PUT']);
      assert.deepEqual(await ask('/api/auth/login'), [204, 'OPTIONS POST']);
      assert.deepEqual(await ask('/api/nothing'), [204, undefined]);
    });

    test('may use the methods and headers that the API has, and read the limit', async () => {
      const { status, headers } = await preflight(gallery, app);
      assert.equal(status, 204);
      assert.deepEqual(parseList(headers, 'access-control-allow-methods'), ['DELETE', 'GET', 'POST', 'PUT']);
      assert.deepEqual(parseList(headers, 'access-control-allow-headers'), ['authorization', 'content-type']);
      const exposed = parseList(
        (await asVisitor(gallery).get('/api/photos', { origin: app })).headers,
        'access-control-expose-headers',
      );
      for (const name of ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'retry-after']) {
        assert.ok(exposed.includes(name), name);
      }
    });

    test('read refusals, too', async () => {
      for (const path of ['/api/auth/user', '/api/nothing', '/api/photos/x']) {
        const answer = await asVisitor(gallery).get(path, { origin: app });
        assert.ok(answer.status >= 400);
        assert.equal(answer.headers.get('access-control-allow-origin'), '*');
      }
    });
  });

  describe('in production', () => {
    let gallery: Gallery;
    before(async () => {
      const origins = `${app},https://other.example.org:8443`;
      gallery = await startGallery({ corsOrigins: readCorsOrigins(origins, true) });
    });
    after(() => gallery.close());

    test('are allowed from exactly the origins that are set', async () => {
      for (const origin of [app, 'https://other.example.org:8443']) {
        for (const { headers } of [
          await asVisitor(gallery).get('/api/photos', { origin }),
          await preflight(gallery, origin),
        ]) {
          assert.equal(headers.get('access-control-allow-origin'), origin);
          assert.match(headers.get('vary') ?? '', /\bOrigin\b/);
          assert.equal(headers.get('access-control-allow-credentials'), null);
        }
      }
    });

    test('are allowed to no other origin, and no answer can be cached for the wrong one', async () => {
      for (const origin of strangers) {
        for (const { headers } of [
          await asVisitor(gallery).get('/api/photos', { origin }),
          await asVisitor(gallery).get('/api/auth/user', { origin }),
          await preflight(gallery, origin),
        ]) {
          assert.equal(headers.get('access-control-allow-origin'), null, origin);
          assert.match(headers.get('vary') ?? '', /\bOrigin\b/);
        }
      }
      assert.match((await asVisitor(gallery).get('/api/photos')).headers.get('vary') ?? '', /\bOrigin\b/);
    });
  });

  test('allow no origin in production without a setting', async () => {
    const gallery = await startGallery({ corsOrigins: readCorsOrigins(undefined, true) });
    try {
      for (const origin of [app, ...strangers]) {
        const { status, headers } = await asVisitor(gallery).get('/api/photos', { origin });
        assert.equal(status, 200);
        assert.equal(headers.get('access-control-allow-origin'), null);
        assert.equal((await preflight(gallery, origin)).headers.get('access-control-allow-origin'), null);
      }
    } finally {
      await gallery.close();
    }
  });
});

function preflight(gallery: Gallery, origin: string) {
  return asVisitor(gallery).send('OPTIONS', '/api/photos/1', {
    headers: {
      origin,
      'access-control-request-method': 'PUT',
      'access-control-request-headers': 'authorization,content-type',
    },
  });
}

function parseList(headers: Headers, name: string): string[] {
  return (headers.get(name) ?? '')
    .toLowerCase()
    .split(',')
    .map((item) => item.trim())
    .map((item) => (name.endsWith('methods') ? item.toUpperCase() : item))
    .sort();
}
