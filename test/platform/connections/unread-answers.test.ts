/**
 * Tests many large responses that clients request and do not read: the server limits their memory, and other
 * clients get their responses.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { computeConnectionBounds } from '../../../server/platform/connections/bounds.ts';
import { createBoundedServer } from '../../../server/platform/connections/server.ts';
import { eventually } from '../../support/gallery-counts.ts';

const megabyte = 1024 * 1024;
/** A response that is larger than the socket buffers of a connection. */
const answer = Buffer.alloc(16 * megabyte, 'x');
const maxUnreadBytes = 64 * megabyte;

test('answers that clients leave unread are bounded; who leaves the most is cut off', async (context) => {
  const bounds = { ...computeConnectionBounds(1, megabyte, 1024 ** 3), checkMs: 50, maxUnreadBytes };
  const held = new Set<Socket>();
  const server = createBoundedServer(
    (request, response) => {
      held.add(request.socket);
      // Sends a copy of the buffer for each request, because real lists also have separate bytes for each
      // caller.
      response.writeHead(200, { 'Content-Length': answer.length }).end(Buffer.from(answer));
    },
    { http: {}, bounds, isProxy: () => false },
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const ask = (localAddress: string) => {
    const socket = connect({ host: '127.0.0.1', port, localAddress }).on('error', () => {});
    socket.pause().write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    return socket;
  };
  const honest = ask('127.0.0.3');
  const hogs = Array.from({ length: 20 }, () => ask('127.0.0.2'));
  context.after(() => {
    for (const socket of [honest, ...hogs]) socket.destroy();
    server.closeAllConnections();
    server.close();
  });

  await eventually(async () => assert.equal(held.size, 21), 20_000);
  await pause(500);
  const unread = [...held].filter(({ destroyed }) => !destroyed);
  const bytes = unread.reduce((sum, { writableLength }) => sum + writableLength, 0);
  assert.ok(bytes <= maxUnreadBytes, `${bytes / megabyte} MB wait`);
  assert.ok(unread.length >= 2 && unread.length < 10, `${unread.length} connections are left`);

  let read = 0;
  honest.on('data', (chunk: Buffer) => {
    read += chunk.length;
  });
  honest.resume();
  await once(honest, 'close', { signal: AbortSignal.timeout(60_000) });
  assert.ok(read > answer.length, 'another address reads its own whole');
});
