/**
 * Tests limits for connections of one IP address, and for requests of one client behind a proxy. Other
 * clients are still served.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { after, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '../../support/gallery-counts.ts';
import { addPhoto } from '../../support/people.ts';
import { createRequestHead, exchangeRaw, openSocket } from '../../support/raw.ts';
import { countConnections, type LargeGallery, readAnswers, startLarge } from './clients.ts';

const maxPerAddress = 30;

describe('connections of one address', () => {
  const galleries: LargeGallery[] = [];
  const sockets: Socket[] = [];
  after(async () => {
    for (const socket of sockets) socket.destroy();
    for (const { gallery } of galleries) await gallery.close();
  });

  async function start(config: Parameters<typeof startLarge>[1] = {}): Promise<LargeGallery> {
    const large = await startLarge({ maxPerAddress, crowdedAt: 0 }, config);
    galleries.push(large);
    return large;
  }

  async function connect({ gallery }: LargeGallery, count: number): Promise<Socket[]> {
    const opened = Array.from({ length: count }, () => openSocket(gallery));
    sockets.push(...opened);
    await Promise.all(opened.map((socket) => once(socket, 'connect')));
    return opened;
  }

  test('are told so above their share, and served again when some have ended', async () => {
    const large = await start();
    const idle = await connect(large, maxPerAddress);
    await eventually(async () => assert.ok((await countConnections(large.gallery)) >= maxPerAddress));
    const refused = await exchangeRaw(large.gallery, createRequestHead('GET', '/health/live', {}));
    assert.deepEqual([refused.status, refused.body.code], [429, 429]);
    assert.ok(Number(refused.headers.get('retry-after')) >= 1);
    const [crowd] = [await connect(large, 3 * maxPerAddress)];
    await Promise.all(crowd.map(readAnswers));
    assert.ok((await countConnections(large.gallery)) <= maxPerAddress + 2);
    for (const socket of idle) socket.destroy();
    await eventually(async () => {
      assert.equal(
        (await exchangeRaw(large.gallery, createRequestHead('GET', '/health/live', {}))).status,
        200,
      );
    });
  });

  test("are a proxy's, whose clients have shares of their own", async () => {
    const large = await start({ trustProxy: ['127.0.0.1'] });
    await connect(large, 3 * maxPerAddress);
    const getFrom = (from: string, path = '/health/live') =>
      exchangeRaw(large.gallery, createRequestHead('GET', path, { 'X-Forwarded-For': from }));
    assert.equal((await getFrom('203.0.113.1')).status, 200);

    for (const socket of await connect(large, maxPerAddress)) {
      const login = { 'Content-Type': 'application/json', 'Content-Length': 1000 };
      socket.write(
        createRequestHead('POST', '/api/auth/login', { ...login, 'X-Forwarded-For': '203.0.113.1' }),
      );
    }
    await pause(300);
    const refused = await getFrom('203.0.113.1');
    assert.deepEqual([refused.status, refused.body.code], [429, 429]);
    assert.equal((await getFrom('203.0.113.2')).status, 200);
    for (const socket of sockets) socket.destroy();
    await eventually(async () => assert.equal((await getFrom('203.0.113.1')).status, 200));
  });

  test('hold a page of a hundred thumbnails for several people, at six connections each', async () => {
    const large = await startLarge();
    galleries.push(large);
    const { thumb } = await addPhoto(large.owner);
    const people = Array.from({ length: 20 }, () => new Agent({ keepAlive: true, maxSockets: 6 }));
    const statuses = await Promise.all(
      people.flatMap((agent) =>
        Array.from({ length: 100 }, () => fetchStatus(large.gallery.url + thumb, agent)),
      ),
    );
    for (const agent of people) agent.destroy();
    assert.deepEqual([...new Set(statuses)], [200]);
  });
});

async function fetchStatus(url: string, agent: Agent): Promise<number | undefined> {
  const [answer] = (await once(get(url, { agent }), 'response')) as [IncomingMessage];
  await once(answer.resume(), 'end');
  return answer.statusCode;
}
