/** Request bodies that arrive too slowly get a 408, whatever their type, and do not occupy queue places. */
import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually, listTemporaryFiles } from '../../support/gallery-counts.ts';
import { type Person, register } from '../../support/people.ts';
import { createJpeg } from '../../support/pictures.ts';
import { createRequestHead, openSocket } from '../../support/raw.ts';
import {
  countConnections,
  createHeaders,
  type LargeGallery,
  readAnswers,
  sendSlowly,
  startLarge,
} from './clients.ts';

const windowMs = 2000;
/** Number of slow requests, larger than the number of queue places of one user. */
const drips = 30;

const form = {
  'Content-Type': 'multipart/form-data; boundary=edge',
  'Content-Length': 1_000_000,
};
const begun =
  '--edge\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\nContent-Type: image/jpeg\r\n\r\n\xff';

describe('slow senders', () => {
  let large: LargeGallery;
  let bob: Person;

  before(async () => {
    large = await startLarge({ bodyWindowMs: windowMs, unreadMs: windowMs }, { trustProxy: true });
    bob = await register(large.gallery, 'bob');
  });
  after(() => large?.gallery.close());

  function trickle(
    method: string,
    path: string,
    headers: Record<string, string | number>,
    start: string,
  ): Socket {
    const socket = openSocket(large.gallery);
    socket.write(
      createRequestHead(method, path, { ...createHeaders({ token: large.owner.token }), ...headers }) + start,
    );
    sendSlowly(socket, 100);
    return socket;
  }

  test('are refused with 408 for forms, do not stop other uploads, and leave nothing', async () => {
    const sockets = Array.from({ length: drips }, () => trickle('POST', '/api/photos/upload', form, begun));
    const heard = sockets.map(readAnswers);
    await eventually(async () =>
      assert.ok((await listTemporaryFiles(large.gallery.deps.config.dataDir)).length > 3),
    );
    const receiving = (await listTemporaryFiles(large.gallery.deps.config.dataDir)).length;
    assert.ok(receiving <= 8, `${receiving} are being received for one user`);
    assert.equal((await bob.upload(await createJpeg())).status, 200, 'another user has places');
    for (const answer of await Promise.all(heard)) assert.match(answer, /^HTTP\/1\.1 408 .*"code":408/s);
    await eventually(async () => {
      assert.deepEqual(await listTemporaryFiles(large.gallery.deps.config.dataDir), []);
      assert.ok((await countConnections(large.gallery)) <= 4, 'connections are left');
    }, 20_000);
    assert.equal((await large.owner.upload(await createJpeg())).status, 200, 'their own places are free');
  });

  test('are refused with 408 for JSON', async () => {
    const body = { 'Content-Type': 'application/json', 'Content-Length': 10_000 };
    const socket = trickle('POST', '/api/auth/login', body, '{"username":"');
    assert.match(await readAnswers(socket), /^HTTP\/1\.1 408 .*"code":408/s);
  });

  test('are refused with 408 for a body that is not read', async () => {
    const socket = trickle('GET', '/api/photos', { 'Content-Length': 10_000 }, 'x');
    assert.match(await readAnswers(socket), /^HTTP\/1\.1 200 /s);
    assert.ok(socket.closed);
  });

  test('are served when they are not too slow', async () => {
    const content = await createJpeg();
    const end = '\r\n--edge--\r\n';
    const start = begun.slice(0, -1);
    const bytes = Buffer.concat([Buffer.from(start), content, Buffer.alloc(60_000), Buffer.from(end)]);
    const socket = openSocket(large.gallery);
    const headers = { ...form, 'Content-Length': bytes.length, Connection: 'close' };
    socket.write(
      createRequestHead('POST', '/api/photos/upload', {
        ...createHeaders({ token: large.owner.token }),
        ...headers,
      }),
    );
    const heard = readAnswers(socket);
    for (let at = 0; at < bytes.length; at += 4000) {
      socket.write(bytes.subarray(at, at + 4000));
      await pause(250);
    }
    assert.match(await heard, /^HTTP\/1\.1 200 /);
  });
});
