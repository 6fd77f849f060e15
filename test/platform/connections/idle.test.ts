/** A stop ends connections whose answer is given: once all of it has left. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '../../support/holdings.ts';
import { get, given, megabyte, startServer } from './bounded.ts';
import { hear } from './clients.ts';

test('an answer that is given leaves, also where Node ends the connection as idle in the same turn', async (context) => {
  const { join } = await startServer(context, (_request, response, server) => {
    response.end('done');
    // As a stop does, once the whole request is read.
    process.nextTick(() => server.closeIdleConnections());
  });
  const [client] = await join(1);
  const heard = hear(client!);
  client!.write(get());
  assert.match(await heard, /^HTTP\/1\.1 200 .*done$/s);
});

for (const isKnown of [false, true]) {
  const length = isKnown ? 'of a known length' : 'in chunks';
  test(`so does one ${length} whose last piece waits behind the first`, async (context) => {
    const [first, last] = ['x'.repeat(3000), 'y'.repeat(3000)];
    const { join } = await startServer(context, (_request, response, server) => {
      if (isKnown) response.setHeader('Content-Length', first.length + last.length);
      response.write(first);
      process.nextTick(() => {
        response.end(last);
        server.closeIdleConnections();
      });
    });
    const [client] = await join(1);
    const heard = hear(client!);
    client!.write(get());
    assert.match(await heard, isKnown ? /xxxyyy+$/ : /xxx\r\n.*yyy\r\n0\r\n\r\n$/s);
  });
}

test('so does a large one that its client reads later, and its connection ends with it', async (context) => {
  const body = 'x'.repeat(16 * megabyte);
  const { sides, join } = await startServer(context, (_request, response, server) => {
    response.end(body);
    for (let n = 0; n < 20; n++) setTimeout(() => server.closeIdleConnections(), 5 * n);
  });
  const [client] = await join(1);
  client!.pause().write(get());
  await eventually(async () => assert.ok(given(sides[0]!)));
  await pause(150);
  assert.equal(sides[0]!.listenerCount('finish') < 5, true, 'asked once');
  const heard = await hear(client!.resume());
  assert.ok(heard.endsWith(body));
  await eventually(async () => assert.ok(sides[0]!.destroyed));
});
