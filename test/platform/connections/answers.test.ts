/**
 * Each client gets all bytes of its responses in order. The server generates a response only as fast as the
 * client reads it.
 */
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '../../support/gallery-counts.ts';
import { get, megabyte, startServer } from './bounded.ts';
import { readAnswers } from './clients.ts';

test('pipelined requests get every byte of their answers, in order', async (context) => {
  const bodies = [1, 200_000, 30, 0, 70_000, 5, 3_000_000, 2].map((length, n) => `${n}`.repeat(length));
  const { join } = await startServer(context, ({ url }, response) => {
    const body = bodies[Number(url!.slice(1))]!;
    response.writeHead(200, { 'Content-Length': body.length });
    response.write(body.slice(0, 3));
    response.write(body.slice(3, 100));
    setImmediate(() => response.end(body.slice(100)));
  });
  const [client] = await join(1);
  const heard = readAnswers(client!);
  client!.write(
    bodies.map((_, n) => get(`/${n}`, n === bodies.length - 1 ? 'close' : 'keep-alive')).join(''),
  );
  let rest = await heard;
  for (const body of bodies) {
    assert.match(rest, /^HTTP\/1\.1 200 /);
    const start = rest.indexOf('\r\n\r\n') + 4;
    assert.ok(rest.startsWith(body, start), `the ${body.length} bytes of ${body[0]}`);
    rest = rest.slice(start + body.length);
  }
  assert.equal(rest, '');
});

test('a slow reader gets all bytes, and no more is made than it and the system hold', async (context) => {
  const piece = Buffer.alloc(64 * 1024, 'x');
  const pieces = 512;
  let made = 0;
  const { sides, join } = await startServer(context, (_request, response) => {
    const body = function* () {
      for (; made < pieces; made++) yield piece;
    };
    response.writeHead(200, { 'Content-Length': pieces * piece.length });
    pipeline(Readable.from(body(), { objectMode: false }), response).catch(() => {});
  });
  const [client] = await join(1);
  client!.pause().write(get('/', 'close'));
  await eventually(async () => assert.ok(made > 1));
  await pause(300);
  const before = made;
  assert.ok(before < pieces / 2, `${before} pieces are made`);
  assert.ok(sides[0]!.writableLength > 0 && sides[0]!.writableLength < megabyte);
  await pause(100);
  assert.equal(made, before, 'more is made while nothing is read');
  const heard = readAnswers(client!);
  client!.resume();
  const text = await heard;
  const start = text.indexOf('\r\n\r\n') + 4;
  assert.ok(text.slice(start) === 'x'.repeat(pieces * piece.length), `${text.length - start} bytes`);
});

test('a client that resets its connection harms no other', async (context) => {
  let closed = 0;
  const { join } = await startServer(context, (_request, response) => {
    response.on('close', () => closed++);
    if (closed === 0) clients[0]!.resetAndDestroy();
    response.end('done');
  });
  const clients = await join(6);
  const heard = clients.map(readAnswers);
  for (const client of clients) client.write(get('/', 'close'));
  const texts = await Promise.all(heard);
  for (const text of texts.slice(1)) assert.match(text, /^HTTP\/1\.1 200 .*done$/s);
  await eventually(async () => assert.equal(closed, 6));
});
