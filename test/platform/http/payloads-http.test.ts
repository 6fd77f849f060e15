/** Tests broken JSON and unusual content types, headers, paths and methods, sent byte for byte. */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { type Gallery, startGallery } from '../../support/harness.ts';
import {
  assertNoLeak,
  assertPrototypeUntouched,
  describeValue,
  payloads,
  withoutPayloads,
} from '../../support/payloads.ts';
import { asVisitor, type Person, register } from '../../support/people.ts';
import { createJpeg } from '../../support/pictures.ts';
import { createRequestHead, exchangeRaw } from '../../support/raw.ts';

describe('nasty requests', { skip: withoutPayloads }, () => {
  let gallery: Gallery;
  let mallory: Person;
  let id: number;
  let thumb: string;

  before(async () => {
    gallery = await startGallery({ corsOrigins: ['https://allowed.example'] });
    mallory = await register(gallery, 'mallory');
    const { data } = (await mallory.upload(await createJpeg(), { title: 'plain' })).body;
    [id, thumb] = [data.id, data.thumb];
  });
  after(() => gallery?.close());
  afterEach(assertPrototypeUntouched);
  afterEach(async () => {
    const { status, body } = await mallory.get('/api/auth/user');
    assert.deepEqual([status, body.data.is_admin, body.data.status], [200, false, 1]);
  });

  /** Returns every endpoint that reads JSON. */
  function jsonEndpoints(): [string, string][] {
    return [
      ['POST', '/api/auth/register'],
      ['POST', '/api/auth/login'],
      ['PUT', '/api/auth/profile'],
      ['PUT', '/api/auth/password'],
      ['PUT', `/api/photos/${id}`],
      ['POST', `/api/photos/${id}/edit`],
      ['POST', `/api/photos/${id}/revert`],
      ['POST', `/api/photos/${id}/share`],
      ['POST', `/api/shares/${'x'.repeat(43)}/unlock`],
    ];
  }

  function sendJson(method: string, path: string, body: string | Uint8Array<ArrayBuffer>, more = {}) {
    return mallory.send(method, path, { body, headers: { 'content-type': 'application/json', ...more } });
  }

  test('are refused or accepted cleanly with broken and odd JSON', async () => {
    for (const body of payloads.json_bodies) {
      for (const [method, path] of jsonEndpoints()) {
        const answer = await sendJson(method, path, body);
        assertNoLeak(answer, [method, path, body]);
        // A revert accepts an empty body and then restores the original.
        const isLeftOut = body === '' && path.endsWith('/revert');
        if (!isObject(body) && !isLeftOut) assert.equal(answer.status, 400, `${path} ${body}`);
      }
    }
  });

  test('are refused or accepted cleanly with JSON that is deep, long, large or many', async () => {
    const generated: Record<string, string> = {
      deep_array: '['.repeat(30_000) + ']'.repeat(30_000),
      deep_object: '{"a":'.repeat(20_000) + '1' + '}'.repeat(20_000),
      deep_beyond: '['.repeat(100_000) + ']'.repeat(100_000),
      many_keys: `{${Array.from({ length: 8_000 }, (_, key) => `"k${key}":1`).join()}}`,
      long_key: `{"${'k'.repeat(100_000)}":1}`,
      long_string: `{"title":"${'s'.repeat(1_000_000)}"}`,
      number_long: `{"album_id":1${'0'.repeat(100_000)}}`,
    };
    for (const [name, body] of Object.entries(generated)) {
      for (const [method, path] of jsonEndpoints()) {
        const start = performance.now();
        const answer = await sendJson(method, path, body);
        assertNoLeak(answer, [method, path, name]);
        if (body.length > 128 * 1024) assert.equal(answer.status, 413, name);
        assert.ok(answer.bytes.length < 2000, `${name}: ${answer.bytes.length} bytes of answer`);
        assert.ok(performance.now() - start < 3000, name);
      }
    }
  });

  test('are refused cleanly with bytes that are no text', async () => {
    for (const [name, hex] of Object.entries(payloads.raw_bytes_hex)) {
      if (!/^[0-9a-f ]+$/.test(hex)) continue;
      const bytes = new Uint8Array(Buffer.from(hex.replaceAll(' ', ''), 'hex'));
      for (const [method, path] of jsonEndpoints()) {
        const answer = await sendJson(method, path, bytes);
        assertNoLeak(answer, [path, name]);
        assert.equal(answer.status, 400, name);
      }
    }
    const bomb = new Uint8Array(gzipSync(Buffer.alloc(30_000_000)));
    const answer = await sendJson('POST', '/api/auth/login', bomb, { 'content-encoding': 'gzip' });
    assertNoLeak(answer, 'gzip bomb');
    assert.equal(answer.status, 415);
  });

  test('are refused or accepted cleanly with odd content types', async () => {
    for (const type of payloads.content_types) {
      const json = JSON.stringify({ title: 'plain' });
      for (const [method, path] of [
        ['PUT', `/api/photos/${id}`],
        ['POST', '/api/photos/upload'],
      ] as const) {
        const answer = await exchangeRaw(
          gallery,
          createRequestHead(method, path, {
            Authorization: `Bearer ${mallory.token}`,
            'Content-Length': json.length,
            ...(type !== null && { 'Content-Type': type }),
          }) + json,
        );
        assertNoLeak(answer, [path, type]);
        const isJson = method === 'PUT' && /^application\/json(;|$)/i.test(type ?? '');
        if (!isJson) assert.ok([400, 415].includes(answer.status), `${path} ${type}: ${answer.status}`);
        if (path.endsWith('upload') && !/^multipart/.test(type ?? '')) assert.equal(answer.status, 415);
      }
    }
  });

  test('are refused or accepted cleanly with odd headers', async () => {
    const isAllowed = (value: string) => value === 'https://allowed.example' || value === undefined;
    for (const line of payloads.headers) {
      const given = line.replaceAll('<token>', mallory.token!).replace('x500', ',9-9'.repeat(500));
      const lines = line.startsWith('two ')
        ? ['Authorization: Bearer a', `Authorization: Bearer ${mallory.token}`]
        : [given];
      const host = /^Host:/.test(given) ? '' : 'Host: localhost\r\n';
      for (const path of ['/api/photos', '/api/auth/user', thumb, '/openapi.json', '/nowhere']) {
        const request = `GET ${path} HTTP/1.1\r\n${host}${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`;
        const answer = await exchangeRaw(gallery, request);
        assert.ok(
          answer.status >= 200 && answer.status < 500,
          `${describeValue(line)} ${path}: ${answer.status}`,
        );
        assert.doesNotMatch(answer.text.slice(0, 500), /evil\.example|\n\s+at /, describeValue(line));
        const origin = answer.headers.get('access-control-allow-origin');
        assert.ok(origin === undefined || isAllowed(origin), `${describeValue(line)}: ${origin}`);
        if (answer.status >= 400) assertNoLeak(answer, [path, line]);
        if (path !== '/api/auth/user') continue;
        const isMine = /^Authorization: bearer \S+$/i.test(given) && given.includes(mallory.token!);
        if (isMine) assert.equal(answer.status, 200, describeValue(line));
        else if (line.length > 32_768) assert.equal(answer.status, 431);
        else if (answer.status !== 400) assert.equal(answer.status, 401, describeValue(line));
      }
    }
  });

  test('are refused or accepted cleanly with odd paths', async () => {
    for (const path of payloads.paths) {
      const answer = await exchangeRaw(gallery, createRequestHead('GET', path, {}));
      assertNoLeak(answer, path);
      assert.ok(![200].includes(answer.status) || path === '/api/photos/1?', `${path}: ${answer.status}`);
      if (/^\/storage|^\/\./.test(path)) assert.equal(answer.status, 404, path);
      assert.doesNotMatch(answer.text, /root:|SQLite format/);
    }
  });

  test('are refused cleanly with odd methods', async () => {
    for (const method of payloads.methods) {
      for (const path of ['/api/photos', `/api/photos/${id}`, '/api/photos/upload', thumb, '/', '/nowhere']) {
        const answer = await exchangeRaw(gallery, createRequestHead(method, path, { 'Content-Length': 0 }));
        assert.ok(answer.status < 500, `${method} ${path}: ${answer.status}`);
        assert.notEqual(answer.status, 0, `${method} ${path} was not answered`);
        // Skips HEAD, because its responses have no body.
        if (answer.status >= 400 && method !== 'HEAD') assertNoLeak(answer, [method, path]);
        if (['PATCH', 'PROPFIND', 'FOO', 'get'].includes(method)) {
          assert.ok([400, 404, 405].includes(answer.status), `${method} ${path}: ${answer.status}`);
        }
        if (method === 'PATCH' && path === '/api/photos') {
          assert.equal(answer.status, 405);
          assert.match(answer.headers.get('allow')!, /GET/);
        }
      }
    }
    assert.equal((await asVisitor(gallery).get(`/api/photos/${id}`)).body.data.title, 'plain');
  });

  test('cause no server errors', () =>
    assert.deepEqual(
      // Ignores warnings about TRUST_PROXY, because some of the unusual headers are those of a proxy.
      gallery.complaints().filter((line) => !line.includes('TRUST_PROXY')),
      [],
    ));
});

function isObject(json: string): boolean {
  try {
    // A JSON parser may ignore a byte order mark (RFC 8259).
    const value: unknown = JSON.parse(json.replace(/^\ufeff/, ''));
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
