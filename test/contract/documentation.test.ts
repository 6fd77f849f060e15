/** Tests the API contract, openapi.json, and the page that documents it. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { type Gallery, startGallery } from '../support/harness.ts';
import { type Answer, asVisitor } from '../support/people.ts';

let gallery: Gallery;

before(async () => {
  gallery = await startGallery();
});
after(() => gallery.close());

const get = (path: string, headers?: Record<string, string>): Promise<Answer> =>
  asVisitor(gallery).get(path, headers);

test('serves the committed openapi.json, and answers 304 to a client that has the file', async () => {
  const answer = await get('/openapi.json');
  assert.equal(answer.status, 200);
  assert.match(answer.headers.get('content-type')!, /^application\/json/);
  assert.equal(answer.headers.get('cache-control'), 'no-cache');
  const committed = JSON.parse(await readFile(new URL('../../openapi.json', import.meta.url), 'utf8'));
  assert.deepEqual(answer.body, committed);
  assert.equal(committed.openapi, '3.1.0');

  const again = await get('/openapi.json', { 'if-none-match': answer.headers.get('etag')! });
  assert.equal(again.status, 304);
  assert.equal(again.bytes.length, 0);
});

test('serves /docs and its files from this server, without inline scripts', async () => {
  const page = await get('/docs');
  assert.equal(page.status, 200);
  assert.match(page.headers.get('content-security-policy')!, /default-src 'none'; script-src 'self';/);
  const html = page.bytes.toString();
  assert.doesNotMatch(html, /<script(?![^>]* src=)/);
  assert.doesNotMatch(html, /https?:/);
  assert.match(html, /name="viewport"/);

  const parts = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1]!);
  assert.ok(parts.length >= 4);
  for (const part of parts) {
    const { status, headers, bytes } = await get(`/${part}`);
    assert.equal(status, 200, part);
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.ok(bytes.length > 100, part);
  }
});

test('shows /docs in the theme of the system by the class that Swagger UI uses', async () => {
  const script = (await get('/docs/start.js')).bytes.toString();
  assert.match(script, /matchMedia\('\(prefers-color-scheme: dark\)'\)/);
  const name = /classList\.toggle\('([\w-]+)'/.exec(script)![1]!;
  const styles = (await get('/docs/swagger-ui.css')).bytes.toString();
  assert.ok(styles.includes(`html.${name} .swagger-ui{`), name);
});

test('serves no other file of the Swagger UI package', async () => {
  for (const path of ['/docs/', '/docs/index.html', '/docs/package.json', '/docs/..%2fpackage.json']) {
    assert.equal((await get(path)).status, 404, path);
  }
});
