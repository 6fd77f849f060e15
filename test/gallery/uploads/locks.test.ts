/**
 * Tests simultaneous requests for one upload: in one process, in two processes, while bytes arrive, and while
 * the photo is created.
 */
import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { createApp } from '../../../server/app.ts';
import { chargedBytes } from '../../../server/gallery/photos/upload/quota.ts';
import type { App } from '../../../server/platform/http/app.ts';
import type { ImagingQueue } from '../../../server/platform/imaging/queue/queue.ts';
import { readAnswers } from '../../platform/connections/clients.ts';
import { assertRead, assertRefused } from '../../support/assert-answers.ts';
import { countHoldings, eventually, listTemporaryFiles } from '../../support/gallery-counts.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { createPerson, type Person, register } from '../../support/people.ts';
import { createJpeg } from '../../support/pictures.ts';
import { openSocket, createRequestHead as rawHead } from '../../support/raw.ts';
import { deleteUpload, readOffset, readUploadHead, sendChunk, startUpload } from '../../support/uploads.ts';

const waitMs = 60_000;

describe('requests for one upload', () => {
  let gallery: Gallery;
  let owner: Person;
  /** A client of the same person at another server of the gallery. */
  let elsewhere: Person;
  let other: App;
  let picture: Buffer;

  before(async () => {
    gallery = await startGallery();
    other = await createApp(gallery.deps);
    const url = await other.listen({ port: 0, host: '127.0.0.1', listenTextResolver: () => '' });
    owner = await register(gallery, 'owner');
    elsewhere = createPerson({ url }, owner.name, owner.token, owner.id);
    picture = await createJpeg({ width: 1200, height: 900 });
  });
  after(async () => {
    await other.close();
    await gallery.close();
  });

  /** Announces more bytes than it sends, and then stays silent. */
  function hang(path: string, sent: Buffer, announced: number, more: Record<string, string> = {}): Socket {
    const socket = openSocket(gallery);
    const headers = {
      Authorization: `Bearer ${owner.token}`,
      'Tus-Resumable': '1.0.0',
      'Upload-Offset': 0,
      'Content-Type': 'application/offset+octet-stream',
      'Content-Length': announced,
      ...more,
    };
    socket.write(rawHead('PATCH', path, headers));
    socket.write(sent);
    return socket;
  }

  /** Resolves when the temporary files contain this many bytes of an upload. */
  async function received(bytes: number): Promise<void> {
    const { dataDir } = gallery.deps.config;
    await eventually(async () => {
      const names = await listTemporaryFiles(dataDir);
      const sizes = await Promise.all(
        names.map(async (name) => (await stat(join(dataDir, 'tmp', name))).size),
      );
      assert.equal(
        sizes.reduce((sum, size) => sum + size, 0),
        bytes,
      );
    }, waitMs);
  }

  /** Takes all memory for pictures until the returned function is called. */
  function fill(queue: ImagingQueue): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    void queue.run(() => promise, { bytes: queue.memoryBytes });
    return resolve;
  }

  async function waiting(queue: ImagingQueue, count: number): Promise<void> {
    await eventually(async () => assert.equal(queue.waiting, count), waitMs);
  }

  test('a client that asks for the offset gets all bytes that came on a connection that hangs', async () => {
    const path = await startUpload(owner, picture.length);
    const socket = hang(path, picture.subarray(0, 5000), picture.length);
    const heard = readAnswers(socket);
    await received(5000);
    assert.equal(await readOffset(owner, path), 5000);
    assert.match(await heard, /^HTTP\/1\.1 409 .*"code":80002/s);
    assert.equal((await sendChunk(owner, path, 5000, picture.subarray(5000))).status, 200);
  });

  test('one that writes ends one that hangs, or that can be given up at once', async () => {
    const path = await startUpload(owner, picture.length);
    const heard = readAnswers(hang(path, picture.subarray(0, 4000), picture.length));
    await received(4000);
    assertRefused(await sendChunk(owner, path, 0, picture), 409, 80002);
    assert.match(await heard, /^HTTP\/1\.1 409 /);
    assert.equal(await readOffset(owner, path), 4000);
    const before = await countHoldings(gallery.deps);
    const again = readAnswers(hang(path, Buffer.from('x'), 100, { 'Upload-Offset': '4000' }));
    await received(1);
    assert.equal((await deleteUpload(owner, path)).status, 204);
    await again;
    const { objects, temporary } = await countHoldings(gallery.deps);
    assert.deepEqual([objects, temporary], [before.objects - 1, 0]);
  });

  test('another server waits for none, and takes over', async () => {
    const path = await startUpload(owner, picture.length);
    const socket = hang(path, picture.subarray(0, 3000), picture.length);
    const heard = readAnswers(socket);
    await received(3000);
    assert.equal(await readOffset(elsewhere, path), 0);
    const { photos } = await countHoldings(gallery.deps);
    assert.equal((await sendChunk(elsewhere, path, 0, picture)).status, 200);
    socket.write(picture.subarray(3000));
    assert.match(await heard, /^HTTP\/1\.1 409 .*"code":80002/s);
    assert.equal((await countHoldings(gallery.deps)).photos, photos + 1);
    assert.equal(await readOffset(owner, path), picture.length);
  });

  test('a connection that closes leaves what it brought, unless it has a checksum', async () => {
    const path = await startUpload(owner, picture.length);
    const checksum = { 'Upload-Checksum': 'sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=' };
    const checked = hang(path, picture.subarray(0, 2000), picture.length, checksum);
    await received(2000);
    checked.destroy();
    await received(0);
    assert.equal(await readOffset(elsewhere, path), 0);
    const plain = hang(path, picture.subarray(0, 2500), picture.length);
    await received(2500);
    plain.destroy();
    await eventually(async () => assert.equal(await readOffset(elsewhere, path), 2500), waitMs);
    await received(0);
    await deleteUpload(owner, path);
  });

  test('the photo is made although its client has gone, and no other request disturbs it', async () => {
    const { queue } = gallery.deps.imaging;
    const { photos } = await countHoldings(gallery.deps);
    const letGo = fill(queue);
    const path = await startUpload(owner, picture.length);
    const socket = hang(path, picture, picture.length);
    await waiting(queue, 1);
    assert.equal(await readOffset(owner, path), 0);
    for (const refused of [await sendChunk(owner, path, 0, picture), await deleteUpload(owner, path)]) {
      assertRefused(refused, 423, 80003);
      assert.match(refused.headers.get('retry-after')!, /^\d+$/);
    }
    socket.destroy();
    letGo();
    await eventually(async () => assert.equal(await readOffset(owner, path), picture.length), waitMs);
    assert.equal((await countHoldings(gallery.deps)).photos, photos + 1);
    const { id } = (await sendChunk(owner, path, picture.length, Buffer.alloc(0))).body.data;
    assert.equal(assertRead(await owner.get(`/api/photos/${id}`)).size, picture.length);
    assertRefused(await deleteUpload(owner, path), 400, 400);
    await owner.delete(`/api/photos/${id}`);
    assertRefused(await sendChunk(owner, path, picture.length, Buffer.alloc(0)), 404, 20003);
  });

  test('two servers that have the last byte at once make one photo', async () => {
    const { queue } = gallery.deps.imaging;
    const before = await countHoldings(gallery.deps);
    const used = await usedBytes();
    const letGo = fill(queue);
    const path = await startUpload(owner, picture.length);
    const both = Promise.all([sendChunk(owner, path, 0, picture), sendChunk(elsewhere, path, 0, picture)]);
    await waiting(queue, 2);
    letGo();
    const statuses = (await both).map(({ status }) => status).sort();
    assert.deepEqual(statuses, [200, 409]);
    const now = await countHoldings(gallery.deps);
    assert.deepEqual([now.photos, now.temporary], [before.photos + 1, 0]);
    assert.equal(now.objects, before.objects + 3);
    assert.equal(await usedBytes(), used + chargedBytes([{ size: picture.length }]));
  });

  test('a body that trickles is ended, and what came of it is kept', async () => {
    const path = await startUpload(owner, picture.length);
    const { connections } = gallery.shared;
    const { bodyWindowMs } = connections;
    connections.bodyWindowMs = 1000;
    try {
      const heard = readAnswers(hang(path, picture.subarray(0, 100), picture.length));
      assert.match(await heard, /^HTTP\/1\.1 408 .*"code":408/s);
    } finally {
      connections.bodyWindowMs = bodyWindowMs;
    }
    await eventually(async () => assert.equal(await readOffset(elsewhere, path), 100), waitMs);
    assert.equal((await readUploadHead(owner, path)).status, 200);
  });

  test('the server logged no error during these tests', () => assert.deepEqual(gallery.complaints(), []));

  async function usedBytes(): Promise<number> {
    const users = gallery.deps.db.kysely.selectFrom('users').select('used_bytes');
    return (await users.where('id', '=', owner.id).executeTakeFirstOrThrow()).used_bytes;
  }
});
