/**
 * Tests server limits: slow and large requests are ended, queues refuse, and password hashing does not delay
 * other requests.
 */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { owaspCosts } from '../../../server/config.ts';
import { maxConnections } from '../../../server/platform/connections/bounds.ts';
import { createImagingQueue, type ImagingQueue } from '../../../server/platform/imaging/queue/queue.ts';
import { countHoldings } from '../../support/gallery-counts.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { asVisitor, type Person, password, register } from '../../support/people.ts';
import { createJpeg } from '../../support/pictures.ts';
import { createRequestHead, exchangeRaw, openSocket } from '../../support/raw.ts';

describe('the limits', () => {
  let gallery: Gallery;
  let ann: Person;
  let imaging: ImagingQueue;

  before(async () => {
    imaging = createImagingQueue({ concurrency: 1, maxWaiting: 2 });
    gallery = await startGallery({ passwordCosts: owaspCosts }, { imagingQueue: imaging });
    ann = await register(gallery, 'ann');
  });
  after(() => gallery?.close());

  test('are set for time and for connections', () => {
    const { headersTimeout, requestTimeout, keepAliveTimeout } = gallery.server;
    assert.ok(headersTimeout >= 5_000 && headersTimeout <= 15_000, `headers ${headersTimeout} ms`);
    assert.ok(requestTimeout >= 60_000 && requestTimeout <= 600_000, `request ${requestTimeout} ms`);
    assert.ok(keepAliveTimeout > 0 && keepAliveTimeout <= 120_000, `idle ${keepAliveTimeout} ms`);
    assert.ok(maxConnections > 0 && maxConnections < 100_000);
  });

  test('end connections that send their headers drop by drop', { timeout: 60_000 }, async () => {
    // Starts a separate gallery with short time limits, so that the test need not wait long.
    const hasty = await startGallery();
    hasty.server.headersTimeout = 300;
    hasty.server.requestTimeout = 600;
    try {
      const sockets = Array.from({ length: 20 }, (_, number) => {
        const socket = openSocket(hasty);
        socket.write(
          number % 2 ? 'GET / HTTP/1.1\r\nHost: a' : createRequestHead('POST', '/api/auth/login', slowBody),
        );
        return socket;
      });
      const heard = sockets.map(async (socket) => {
        let text = '';
        socket.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        await once(socket, 'close');
        return text;
      });
      assert.equal((await asVisitor(hasty).get('/health')).status, 200, 'others are served meanwhile');
      for (const answer of await Promise.all(heard)) assert.match(answer, /^HTTP\/1\.1 408 .*"code":408/s);
    } finally {
      await hasty.close();
    }
  });
  const slowBody = { 'Content-Type': 'application/json', 'Content-Length': 100 };

  test('refuse large headers with 431, in the envelope', async () => {
    const answer = await exchangeRaw(
      gallery,
      createRequestHead('GET', '/api/photos', { 'X-Large': 'x'.repeat(33_000) }),
    );
    assert.deepEqual([answer.status, answer.body.code], [431, 431]);
    const many = Object.fromEntries(Array.from({ length: 6000 }, (_, number) => [`X-${number}`, 'x']));
    assert.equal((await exchangeRaw(gallery, createRequestHead('GET', '/api/photos', many))).status, 431);
    const url = await exchangeRaw(
      gallery,
      createRequestHead('GET', `/api/photos?keyword=${'x'.repeat(33_000)}`, {}),
    );
    assert.equal(url.status, 431);
  });

  test('serve a request with the 20 kB of cookies that a single sign-on in front sets', async () => {
    for (const bytes of [15_000, 20_000, 31_000]) {
      const Cookie = Array.from({ length: 10 }, (_, n) => `sso_${n}=${'x'.repeat(bytes / 10 - 9)}`).join(
        '; ',
      );
      for (const path of ['/api/photos', '/health', '/openapi.json']) {
        const { status } = await exchangeRaw(gallery, createRequestHead('GET', path, { Cookie }));
        assert.equal(status, 200, `${path} with ${bytes} bytes`);
      }
    }
  });

  test('refuse uploads and edits with 503 while the imaging queue is full', async () => {
    const place = gallery.deps;
    const picture = await createJpeg();
    const { id } = (await ann.upload(picture)).body.data;
    const before = await countHoldings(place);
    const { promise: gate, resolve: letGo } = Promise.withResolvers<void>();
    const held = [1, 2, 3].map(() =>
      imaging.run(() => gate, { caller: { name: `u${ann.id}`, address: '127.0.0.1' } }),
    );

    const refused = [
      await ann.upload(picture),
      await ann.post(`/api/photos/${id}/edit`, { action: 'rotate', params: { angle: 90 } }),
    ];
    for (const { status, body, headers } of refused) {
      assert.deepEqual([status, body.code], [503, 503]);
      assert.ok(Number(headers.get('retry-after')) >= 1);
    }
    assert.deepEqual(await countHoldings(place), before);
    assert.equal((await asVisitor(gallery).get(`/api/photos/${id}`)).status, 200, 'reads go on');

    letGo();
    await Promise.all(held);
    assert.equal((await ann.upload(picture)).status, 200);
  });

  test('let reads through while thirty people log in', async () => {
    // Logs in thirty times with the correct password, because only failed logins are throttled.
    const logins = Array.from({ length: 30 }, () =>
      asVisitor(gallery).post('/api/auth/login', { username: 'ann', password }),
    );
    let done = false;
    const all = Promise.all(logins).finally(() => {
      done = true;
    });
    const waits: number[] = [];
    const begin = performance.now();
    while (!done) {
      const start = performance.now();
      assert.equal((await asVisitor(gallery).get('/api/photos')).status, 200);
      waits.push(performance.now() - start);
      await pause(5);
    }
    const whole = performance.now() - begin;
    const codes = (await all).map(({ body }) => body.code);
    assert.ok(codes.filter((code) => code === 0).length >= 10, codes.join());
    assert.ok(
      codes.every((code) => code === 0 || code === 429),
      codes.join(),
    );
    waits.sort((one, other) => one - other);
    const median = waits[Math.floor(waits.length / 2)]!;
    assert.ok(waits.length >= 5, `only ${waits.length} reads`);
    // A read that waited behind the logins would take as long as all logins together.
    assert.ok(median < whole / 5, `a read took ${Math.round(median)} ms of ${Math.round(whole)} ms`);
  });

  test('keep a flood of passwords from queueing without end', async () => {
    const { hashes } = gallery.shared;
    const flood = (count: number, address: string) =>
      Array.from({ length: count }, () => hashes.acquire({ name: address, address }));
    // Fills the queue of hashes: two run, and 500 of one IP address may wait.
    const taken = flood(502, '127.0.0.1');
    const refused = await signUp('flood');
    assert.deepEqual([refused.status, refused.body.code], [429, 429]);
    assert.ok(Number(refused.headers.get('retry-after')) >= 1);
    assert.equal(hashes.waiting, 500);
    for (const entry of taken) (await entry)();
    assert.deepEqual([hashes.running, hashes.waiting], [0, 0]);
    assert.equal((await signUp('flood')).status, 200);
  });

  const signUp = (username: string) =>
    asVisitor(gallery).post('/api/auth/register', {
      username,
      email: `${username}@example.org`,
      password,
    });
});
