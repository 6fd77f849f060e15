/**
 * Tests clients that do not read their responses: the server limits the memory for each client, disconnects
 * slow clients, and keeps serving the others.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '../../support/gallery-counts.ts';
import { addAlbum, addPhoto } from '../../support/people.ts';
import { createJpeg } from '../../support/pictures.ts';
import { createRequestHead, openSocket } from '../../support/raw.ts';
import {
  countConnections,
  createHeaders,
  type LargeGallery,
  openFiles,
  readAnswers,
  sendAndSleep,
  startLarge,
} from './clients.ts';

const windowMs = 2000;
const readers = 30;

describe('slow readers', { skip: process.platform !== 'linux' && 'needs /proc' }, () => {
  let large: LargeGallery;
  const sockets: Socket[] = [];

  before(async () => {
    // The gallery trusts a proxy header, so that each caller in this test can have its own IP address.
    large = await startLarge({ readWindowMs: windowMs, minReadRate: 400_000 }, { trustProxy: true });
  });
  after(async () => {
    for (const socket of sockets) socket.destroy();
    await large?.gallery.close();
  });

  function sleep(path: string, from: string): Socket {
    const socket = sendAndSleep(large.gallery, path, 1, { from, token: large.owner.token });
    sockets.push(socket);
    return socket;
  }

  async function fetchFrom(from: string): Promise<Buffer> {
    const response = await fetch(large.gallery.url + large.path, {
      headers: { 'x-forwarded-for': from, authorization: `Bearer ${large.owner.token}` },
    });
    assert.equal(response.status, 200);
    return Buffer.from(await response.arrayBuffer());
  }

  test('hold a share of the files per address, do not stop others, and are all disconnected', async () => {
    const before = await openFiles();
    const asleep = Array.from({ length: readers }, () => sleep(large.path, '198.51.100.7'));
    await pause(500);
    // Each connection uses two descriptors of this process: the client's and the server's.
    const files = (await openFiles()) - before - 2 * readers;
    assert.ok(files <= 20, `${files} files are open`);
    assert.ok((await fetchFrom('198.51.100.8')).equals(large.file), 'another address is served meanwhile');
    await eventually(async () => assert.ok((await countConnections(large.gallery)) <= 4), 60_000);
    for (const socket of asleep) socket.destroy();
    await eventually(async () => assert.ok((await openFiles()) - before <= 6), 30_000);
    assert.ok((await fetchFrom('198.51.100.7')).equals(large.file), 'the address itself is served again');
  });

  test('do not hold all of a large preview each', async () => {
    const { gallery, owner } = large;
    const { preview } = await addPreview(12_000_000);
    const before = process.memoryUsage().arrayBuffers;
    const others = await countConnections(gallery);
    for (let n = 0; n < readers; n++) {
      sleep(preview, '198.51.100.12');
      // Starts the requests one after the other, because simultaneous requests would share one read of the
      // file.
      await pause(30);
    }
    await eventually(async () => assert.ok((await countConnections(gallery)) >= others + readers));
    await pause(1000);
    const held = process.memoryUsage().arrayBuffers - before;
    assert.ok(held < 150_000_000, `${Math.round(held / 1e6)} MB are held`);
    assert.ok((await owner.get(preview)).bytes.length === 12_000_000);
  });

  /** Creates a preview of the given size, as large as the preview of a long animation. */
  async function addPreview(bytes: number): Promise<{ preview: string }> {
    const { storage } = large.gallery.deps;
    const { id } = await addPhoto(large.owner);
    const { preview } = (await large.owner.get(`/api/photos/${id}`)).body.data;
    const name = preview.split('/').at(-1).split('?')[0];
    await storage.remove(name);
    await storage.put([{ name, source: Buffer.alloc(bytes) }]);
    return { preview };
  }

  test('one that takes drops is ended', { timeout: 60_000 }, async () => {
    const others = await countConnections(large.gallery);
    const socket = sleep(large.path, '198.51.100.9');
    await once(socket, 'connect');
    let taken = 0;
    const sip = setInterval(() => {
      taken += socket.read(500)?.length ?? 0;
    }, 100);
    socket.on('readable', () => {});
    await eventually(async () => {
      assert.ok((await countConnections(large.gallery)) <= others);
    }, 40_000);
    clearInterval(sip);
    assert.ok(taken < large.file.length);
    socket.destroy();
  });

  test('one that is slow but not too slow gets all of it', { timeout: 60_000 }, async () => {
    const socket = openSocket(large.gallery);
    sockets.push(socket);
    let taken = 0;
    socket.on('data', (chunk: Buffer) => {
      taken += chunk.length;
      socket.pause();
      // Reads at about six times the minimum rate, 64 KB at a time, because a busy machine makes the reader
      // slower.
      setTimeout(() => socket.resume(), 25);
    });
    const headers = { ...createHeaders({ token: large.owner.token }), Connection: 'close' };
    socket.write(createRequestHead('GET', large.path, headers));
    await once(socket, 'close');
    assert.ok(taken > large.file.length, `${taken} bytes`);
  });

  test('release the slots of an archive', { timeout: 90_000 }, async () => {
    const { gallery, owner, file } = large;
    const album = await addAlbum(owner, 'Large');
    for (const _ of [1, 2]) await addPhoto(owner, { album_id: String(album) }, file);
    const path = `/api/albums/${album}/download`;
    for (const _ of [1, 2]) sleep(path, '198.51.100.10');
    const hasPlace = () => {
      try {
        gallery.shared.archives.acquire(`u${owner.id}`)();
        return true;
      } catch {
        return false;
      }
    };
    await eventually(async () => assert.ok(!hasPlace(), 'both places are taken'));
    assert.equal((await owner.get(path)).status, 429);
    await eventually(async () => assert.ok(hasPlace(), 'no place is free again'), 60_000);
    assert.equal((await owner.get(path)).status, 200);
  });

  test('are nothing that a small picture must wait for', async () => {
    for (let n = 0; n < 5; n++) sleep(large.path, '198.51.100.11');
    const { thumb } = await addPhoto(large.owner, {}, await createJpeg());
    const socket = openSocket(large.gallery);
    socket.write(createRequestHead('GET', thumb, { 'X-Forwarded-For': '198.51.100.11' }));
    assert.match(await readAnswers(socket), /^HTTP\/1\.1 200 /);
  });
});
