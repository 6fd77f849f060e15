/**
 * A refusal before the whole body has arrived reaches the client. The server reads the rest of the body for a
 * limited time only.
 */
import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { eventually } from '../../support/gallery-counts.ts';
import { createRequestHead, openSocket } from '../../support/raw.ts';
import {
  countConnections,
  createHeaders,
  type LargeGallery,
  readAnswers,
  sendSlowly,
  startLarge,
} from './clients.ts';

const bodyBytes = 20_000_000;
const form = { 'Content-Type': 'multipart/form-data; boundary=edge', 'Content-Length': bodyBytes };

describe('an early refusal', () => {
  let large: LargeGallery;

  before(async () => {
    large = await startLarge(
      { unreadMs: 4000, unreadIdleMs: 1500, unreadBytes: 40_000_000 },
      { maxUploadBytes: 15_000_000 },
    );
  });
  after(() => large?.gallery.close());

  /** Sends the whole request before it reads anything, like clients that read only after sending. */
  async function sendAll(
    headers: Record<string, string | number>,
    path = '/api/photos/upload',
  ): Promise<string> {
    const socket = openSocket(large.gallery).pause();
    const { promise, resolve } = Promise.withResolvers<void>();
    socket.once('close', () => resolve());
    socket.write(createRequestHead('POST', path, headers));
    for (let sent = 0; sent < bodyBytes && !socket.destroyed; sent += 1_000_000) {
      const drained = Promise.withResolvers<void>();
      socket.write(Buffer.alloc(1_000_000), () => drained.resolve());
      await Promise.race([drained.promise, promise]);
    }
    socket.resume();
    const timer = setTimeout(() => socket.end(), 1000);
    return readAnswers(socket).finally(() => clearTimeout(timer));
  }

  for (const connection of ['close', 'keep-alive']) {
    test(`is read by a client that sends all of it first (${connection})`, async () => {
      const token = { Authorization: `Bearer ${large.owner.token}` };
      const refusals: [number, number, Record<string, string | number>][] = [
        [401, 401, form],
        [413, 20002, { ...form, ...token }],
        [415, 415, { ...form, ...token, 'Content-Type': 'image/jpeg' }],
      ];
      for (const [status, code, headers] of refusals) {
        for (let round = 0; round < 3; round++) {
          const answer = await sendAll({ ...headers, Connection: connection });
          assert.match(answer, new RegExp(`^HTTP/1.1 ${status} .*"code":${code}[,}]`, 's'));
        }
      }
    });
  }

  test('of a JSON body is read by a client that sends all of it first', async () => {
    for (const [code, type] of [
      [413, 'application/json'],
      [415, 'text/plain'],
    ] as const) {
      const headers = { ...createHeaders({}), 'Content-Type': type, 'Content-Length': bodyBytes };
      const answer = await sendAll(headers, '/api/auth/login');
      assert.match(answer, new RegExp(`^HTTP/1.1 ${code} .*"code":${code}[,}]`, 's'));
    }
  });

  test('ends the connection for a request without a body where the client asked for that', async () => {
    const started = performance.now();
    for (const [method, path] of [
      ['HEAD', '/api/nothing-here'],
      ['PROPFIND', '/api/photos'],
      // The server refuses an invalid path before the HTTP parser reports that the request has no body.
      ['GET', '/api/%zz'],
    ] as const) {
      const socket = openSocket(large.gallery);
      socket.write(createRequestHead(method, path, { Connection: 'close' }));
      const answer = await readAnswers(socket);
      assert.match(answer, /^HTTP\/1.1 40[045] /);
    }
    assert.ok(performance.now() - started < 10_000, 'long before the end of an idle connection');
  });

  test('does not keep a connection that goes on for ever', async () => {
    const others = await countConnections(large.gallery);
    const endless = { ...createHeaders({}), ...form, 'Content-Length': 2 ** 40 };
    const idle = send({ ...endless, Connection: 'close' });
    const dripping = send(endless);
    sendSlowly(dripping, 50);
    const flooding = send(endless);
    const flood = () => {
      while (!flooding.destroyed && flooding.write(Buffer.alloc(100_000)));
    };
    flooding.on('drain', flood);
    flood();
    const answers = await Promise.all([idle, dripping].map(readAnswers));
    for (const answer of answers) assert.match(answer, /^HTTP\/1\.1 401 .*"code":401/s);
    await readAnswers(flooding);
    assert.ok(flooding.bytesWritten < 1e9, `${flooding.bytesWritten} bytes were read`);
    await eventually(async () => assert.ok((await countConnections(large.gallery)) <= others), 20_000);
  });

  test('leaves a connection usable whose body arrives after all', async () => {
    const socket = openSocket(large.gallery);
    const small = { ...createHeaders({}), ...form, 'Content-Length': 100_000 };
    socket.write(createRequestHead('POST', '/api/photos/upload', small));
    await eventually(async () => assert.ok(socket.bytesRead > 0));
    socket.write(Buffer.alloc(100_000));
    socket.write(createRequestHead('GET', '/health/live', {}));
    assert.match(await readAnswers(socket), /^HTTP\/1\.1 401 .*HTTP\/1\.1 200 .*"status":"ok"/s);
  });

  test('ends the connection after an unreadable request, also when the client does not', async () => {
    const others = await countConnections(large.gallery);
    const socket = send({ 'Bad Header': 'x' });
    socket.allowHalfOpen = true;
    socket.on('data', () => {});
    await eventually(async () => assert.ok((await countConnections(large.gallery)) <= others), 20_000);
    socket.destroy();
  });

  function send(headers: Record<string, string | number>): Socket {
    const socket = openSocket(large.gallery);
    socket.write(createRequestHead('POST', '/api/photos/upload', headers));
    return socket;
  }
});
