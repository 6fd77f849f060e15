/** Answers of one turn of the event loop leave together at its end; nothing else about a connection changes by that. */
import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '../../support/holdings.ts';
import { countTurns, get, given, megabyte, startServer } from './bounded.ts';
import { hear } from './clients.ts';

test('the answers of one turn leave together when all of them are made', async (context) => {
  const turn = countTurns(context);
  const made: { turn: number; left: number }[] = [];
  const finished: { turn: number; left: number }[] = [];
  const look = () => ({ turn: turn(), left: sides.filter(given).length });
  const { sides, join } = await startServer(context, (_request, response) => {
    response.on('finish', () => finished.push(look()));
    response.end('done');
    made.push(look());
  });
  const clients = await join(5);
  const heard = clients.map(hear);
  for (const client of clients) client.write(get('/', 'close'));
  for (const text of await Promise.all(heard)) assert.match(text, /^HTTP\/1\.1 200 .*\r\n\r\ndone$/s);
  assert.deepEqual(
    made.map(({ left }) => left),
    [0, 0, 0, 0, 0],
    'an answer left while others of its turn were made',
  );
  assert.equal(new Set(made.map((each) => each.turn)).size, 1, 'all are made in one turn');
  assert.equal(new Set(finished.map((each) => each.turn)).size, 1, 'all leave in one turn');
  assert.deepEqual(
    finished.map(({ left }) => left),
    [5, 5, 5, 5, 5],
    'what follows an answer is done when all have left',
  );
});

test('answers do not wait for those that begin in the next turn', async (context) => {
  const left: number[] = [];
  const { sides, join } = await startServer(context, (_request, response) => {
    left.push(sides.filter(given).length);
    response.end('done');
  });
  const clients = await join(40);
  for (const client of clients) client.resume().write(get());
  await eventually(async () => assert.equal(left.length, 40));
  for (const [n, each] of left.entries())
    assert.ok(each >= n - 16, `${each} had left when number ${n} began`);
});

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
  const heard = hear(client!);
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

test('clients that reset before their answers leave, and a write that throws, do no harm to the others', async (context) => {
  let closed = 0;
  const { sides, join } = await startServer(context, (request, response) => {
    response.on('close', () => closed++);
    response.end('done');
    if (request.socket !== sides[5]) return;
    // All are answered, and nothing has left.
    assert.deepEqual(sides.filter(given), []);
    clients[0]!.resetAndDestroy();
    Reflect.set(sides[3]!, '_unrefTimer', () => {
      throw new Error('as a bug of Node would');
    });
  });
  const clients = await join(6);
  const heard = clients.map(hear);
  for (const client of clients) client.write(get('/', 'close'));
  const texts = await Promise.all(heard);
  for (const n of [1, 2, 4, 5]) assert.match(texts[n]!, /^HTTP\/1\.1 200 .*done$/s, `client ${n}`);
  for (const n of [0, 3]) assert.equal(texts[n], '');
  await eventually(async () => assert.equal(closed, 6));
});

test('answers do not wait for what else a client has sent that is cut off', async (context) => {
  const { sides, join } = await startServer(context, (_request, response) => response.end('done'));
  const [client, flooder] = await join(2);
  client!.resume();
  const side = sides[1]!;
  const seen: boolean[] = [];
  side.destroy = (error) => {
    seen.push(given(sides[0]!));
    const same = Object.getPrototypeOf(side).destroy.call(side, error);
    seen.push(given(sides[0]!));
    return same;
  };
  client!.write(get());
  flooder!.write(get().repeat(20));
  await eventually(async () => assert.deepEqual(seen.slice(0, 2), [false, true]));
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
  const heard = hear(client!);
  client!.resume();
  const text = await heard;
  const start = text.indexOf('\r\n\r\n') + 4;
  assert.ok(text.slice(start) === 'x'.repeat(pieces * piece.length), `${text.length - start} bytes`);
});

test('writes call back as those of any socket: before and after an end, and to a client that has gone', async (context) => {
  const { sides, join } = await startServer(context, () => {});
  const [client, gone] = await join(2);
  const heard = hear(client!);
  const [side, other] = sides;
  const early = new Promise((resolve) => side!.write('early', resolve));
  side!.destroy();
  const late = new Promise((resolve) => side!.write('late', resolve));
  assert.equal((await early) ?? null, null);
  assert.equal(((await late) as NodeJS.ErrnoException).code, 'ERR_STREAM_DESTROYED');
  assert.equal(await heard, 'early');

  gone!.resetAndDestroy();
  const lost = new Promise((resolve) => other!.write('lost', resolve));
  assert.match(((await lost) as NodeJS.ErrnoException).code!, /^(EPIPE|ECONNRESET)$/);
  assert.ok(other!.destroyed);
});

test('what the end of a write brings about is written at once', async (context) => {
  const { sides, join } = await startServer(context, () => {});
  const [client] = await join(1);
  client!.resume();
  const [side] = sides;
  const { promise, resolve } = Promise.withResolvers<number>();
  side!.write('a', () => {
    side!.write('bc');
    resolve(side!.bytesWritten);
  });
  assert.equal(side!.bytesWritten, 0);
  assert.equal(await promise, 3);
});

test('what follows an answer is done for the caller whose it was', async (context) => {
  const callers = new AsyncLocalStorage<string>();
  const followed: [string, string | undefined][] = [];
  const { join } = await startServer(context, ({ url }, response) => {
    response.on('finish', () => followed.push([url!, callers.getStore()]));
    callers.run(url!, () => response.end('done'));
  });
  const clients = await join(3);
  for (const [n, client] of clients.entries()) client.resume().write(get(`/${n}`));
  await eventually(async () => assert.equal(followed.length, 3));
  for (const [url, caller] of followed) assert.equal(caller, url);
});

test('what waits for the end of its turn is not counted as left unread', async (context) => {
  const checkMs = 5;
  const { join } = await startServer(
    context,
    (_request, response) => {
      // Those who look for slow clients are due right after this, before the turn that writes the answer.
      setImmediate(() => {
        const start = performance.now();
        while (performance.now() - start < 3 * checkMs);
        response.end('x'.repeat(200_000));
      });
    },
    { checkMs, maxUnreadBytes: 100_000 },
  );
  const [client] = await join(1);
  let read = 0;
  client!.on('data', (chunk: Buffer) => {
    read += chunk.length;
  });
  for (let n = 1; n <= 5; n++) {
    client!.write(get());
    await eventually(async () => assert.ok(read > n * 200_000 || client!.closed));
    await pause(20);
    assert.ok(!client!.closed, 'the connection is ended');
  }
});
