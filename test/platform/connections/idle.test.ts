/** When the server stops, it closes each connection after the complete response has been sent. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '../../support/gallery-counts.ts';
import { get, given, megabyte, startServer } from './bounded.ts';
import { readAnswers } from './clients.ts';

test('an answer leaves whole when a stop begins in the same tick', async (context) => {
  const { join } = await startServer(context, (_request, response, server) => {
    response.end('done');
    process.nextTick(() => server.drain());
  });
  const [client] = await join(1);
  const heard = readAnswers(client!);
  client!.write(get());
  assert.match(await heard, /^HTTP\/1\.1 200 .*done$/s);
});

for (const isKnown of [false, true]) {
  const length = isKnown ? 'of a known length' : 'in chunks';
  test(`an answer ${length} leaves whole when its last piece waits behind the first`, async (context) => {
    const [first, last] = ['x'.repeat(3000), 'y'.repeat(3000)];
    const { join } = await startServer(context, (_request, response, server) => {
      if (isKnown) response.setHeader('Content-Length', first.length + last.length);
      response.write(first);
      process.nextTick(() => {
        response.end(last);
        server.drain();
      });
    });
    const [client] = await join(1);
    const heard = readAnswers(client!);
    client!.write(get());
    assert.match(await heard, isKnown ? /xxxyyy+$/ : /xxx\r\n.*yyy\r\n0\r\n\r\n$/s);
  });
}

test('a slow reader gets all of its answer, and its connection ends with it', async (context) => {
  const body = 'x'.repeat(16 * megabyte);
  let drained = false;
  const { sides, join } = await startServer(context, async (_request, response, server) => {
    response.end(body);
    await server.drain();
    drained = true;
  });
  const [idle, client] = await join(2);
  client!.pause().write(get());
  await eventually(async () => assert.ok(given(sides[1]!)));
  await pause(250);
  assert.equal(drained, false);
  const heard = await readAnswers(client!.resume());
  assert.ok(heard.endsWith(body));
  assert.equal(await readAnswers(idle!.resume()), '', 'an idle connection ends, too');
  await eventually(async () => assert.ok(drained && sides.every(({ destroyed }) => destroyed)));
});
