/** A gallery without built pages shows visitors a page that explains the problem. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { type Answer, asVisitor } from '../../support/people.ts';
import { exchangeRaw } from '../../support/raw.ts';

let gallery: Gallery;

before(async () => {
  gallery = await startGallery({}, { pagesFolder: '/nowhere' });
});
after(() => gallery.close());

const get = (path: string): Promise<Answer> => asVisitor(gallery).get(path);

test('/ says what this is and leads to the documentation, without script', async () => {
  const page = await get('/');
  assert.equal(page.status, 200);
  assert.match(page.headers.get('content-type')!, /^text\/html/);
  assert.match(page.headers.get('content-security-policy')!, /^default-src 'none'; style-src 'self'/);
  assert.equal(page.headers.get('x-content-type-options'), 'nosniff');
  const html = page.bytes.toString();
  assert.match(html, /<h1>Lightwell is running<\/h1>/);
  assert.match(html, /image gallery service/);
  assert.doesNotMatch(html, /<script|style="/);
  const links = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1]!);
  assert.deepEqual([...new Set(links)].sort(), ['docs', 'icon.svg', 'openapi.json', 'unbuilt.css']);
  for (const link of links) assert.equal((await get(`/${link}`)).status, 200, link);
});

test('a page that is not built shows commands with the address of its request', async () => {
  assert.match((await get('/')).bytes.toString(), new RegExp(`curl ${gallery.url}/api/photos<`));
  const answer = await exchangeRaw(
    gallery,
    'GET / HTTP/1.1\r\nHost: <b>evil</b>\r\nConnection: close\r\n\r\n',
  );
  assert.equal(answer.status, 200);
  assert.doesNotMatch(answer.text, /evil/);
});

test('HEAD is answered like GET; other methods, and other paths, are the envelope', async () => {
  const head = await fetch(`${gallery.url}/`, { method: 'HEAD' });
  assert.equal(head.status, 200);
  assert.equal((await fetch(`${gallery.url}/`, { method: 'POST' })).status, 405);
  assert.deepEqual((await get('/nothing')).body, { code: 404, message: 'The resource does not exist' });
});
