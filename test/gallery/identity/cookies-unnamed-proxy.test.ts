/**
 * Tests a proxy that ends TLS and that TRUST_PROXY does not name: only headers of the browser show that the
 * page came over https.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addPhoto, type Person, password, register } from '../../support/people.ts';
import { createRequestHead, exchangeRaw } from '../../support/raw.ts';

type Headers = Record<string, string | number>;

const host = 'photos.example.org';
const page = `https://${host}`;
/** Headers of a browser. Over https, GET requests from the page itself have no Origin header. */
const writing = { Host: host, Origin: page, 'Sec-Fetch-Site': 'same-origin' };
const reading = { Host: host, 'Sec-Fetch-Site': 'same-origin' };

describe('a browser behind a proxy that is not named', () => {
  let gallery: Gallery;
  let ann: Person;

  before(async () => {
    gallery = await startGallery();
    ann = await register(gallery, 'ann');
  });
  after(() => gallery?.close());

  function send(method: string, path: string, headers: Headers, body?: object) {
    if (body === undefined) return exchangeRaw(gallery, createRequestHead(method, path, headers));
    const text = JSON.stringify(body);
    const ofBody = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) };
    return exchangeRaw(gallery, createRequestHead(method, path, { ...headers, ...ofBody }) + text);
  }

  const signIn = (headers: Headers) =>
    send('POST', '/api/auth/login', headers, { username: 'ann', password, cookie: true });
  const cookieFrom = (answer: { headers: Map<string, string> }) =>
    answer.headers.get('set-cookie')!.split(';')[0]!;

  test('gets a cookie for https alone, which it reads and writes with and that ends with it', async () => {
    const signedIn = await signIn(writing);
    assert.match(signedIn.headers.get('set-cookie')!, /^__Host-lightwell_session=.*; Path=\/; .*; Secure$/);
    const Cookie = cookieFrom(signedIn);
    assert.equal((await send('GET', '/api/auth/user', { ...reading, Cookie })).status, 200);
    // Sends no origin headers with a GET, like an old browser.
    assert.equal((await send('GET', '/api/auth/user', { Host: host, Cookie })).status, 200);
    const profile = { nickname: 'Ann' };
    assert.equal((await send('PUT', '/api/auth/profile', { ...writing, Cookie }, profile)).status, 200);
    const out = await send('POST', '/api/auth/logout', { ...writing, Cookie });
    assert.match(out.headers.get('set-cookie')!, /^__Host-lightwell_session=; .*Max-Age=0; .*; Secure$/);
    assert.equal((await send('GET', '/api/auth/user', { ...reading, Cookie })).status, 401);
  });

  test('stays signed in by a cookie from before, and can sign out of it', async () => {
    const plain = await signIn({ Host: host });
    assert.match(plain.headers.get('set-cookie')!, /^lightwell_session=/);
    const Cookie = cookieFrom(plain);
    assert.equal((await send('GET', '/api/auth/user', { ...reading, Cookie })).status, 200);
    const out = await send('POST', '/api/auth/logout', { ...writing, Cookie });
    assert.match(out.headers.get('set-cookie')!, /^lightwell_session=; .*Max-Age=0;/);
  });

  test('gains nothing by headers that say what is not so', async () => {
    const Cookie = cookieFrom(await signIn(writing));
    const forgeries: Headers[] = [
      { Host: host, Origin: 'https://evil.example', Cookie },
      { Host: host, 'Sec-Fetch-Site': 'cross-site', Cookie },
      { Host: host, Cookie },
    ];
    for (const forged of forgeries) {
      const answer = await send('PUT', '/api/auth/profile', forged, { nickname: 'Taken over' });
      assert.equal(answer.status, 403, JSON.stringify(forged));
    }
    const without = await send('GET', '/api/auth/user', { ...writing, 'X-Forwarded-Proto': 'https' });
    assert.equal(without.status, 401);
  });

  test('is given links that begin with https, and others the ones that they came by', async () => {
    const { id } = await addPhoto(ann);
    const share = async (headers: Headers) => {
      const Authorization = `Bearer ${ann.token}`;
      const made = await send(
        'POST',
        `/api/photos/${id}/share`,
        { ...headers, Authorization },
        { type: 'link' },
      );
      return new URL(made.body.data.url).origin;
    };
    assert.equal(await share(writing), page);
    assert.equal(await share({ Host: host }), `http://${host}`);
    assert.equal(await share({ Host: host, Origin: `http://${host}` }), `http://${host}`);
    assert.equal(await share({ Host: host, Origin: 'https://evil.example' }), `http://${host}`);
    const local = { Host: 'localhost:3000', 'Sec-Fetch-Site': 'same-origin' };
    assert.equal(await share(local), 'http://localhost:3000');

    const Authorization = `Bearer ${ann.token}`;
    const archive = await send('POST', '/api/photos/archive', { ...writing, Authorization }, { ids: [id] });
    assert.ok(archive.body.data.url.startsWith(`${page}/api/photos/archive/`));
    const listed = await send('GET', '/api/shares', { ...reading, Authorization });
    assert.ok(listed.body.data.list.every(({ url }: { url: string }) => url.startsWith(`${page}/s/`)));
  });
});
