/** Requests that arrive together begin a few at a time, one of each address in turn. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { connectionBounds } from '../../../server/platform/connections/bounds.ts';
import { createBoundedServer } from '../../../server/platform/connections/server.ts';
import { eventually } from '../../support/holdings.ts';
import { countTurns, get } from './bounded.ts';
import { hear } from './clients.ts';

const crowd = '127.0.0.2';
const other = '127.0.0.3';

interface Begun {
  from: string;
  path: string;
  turn: number;
}

/** Answers at once, and tells what began in which turn of the event loop. */
async function startServer(
  context: TestContext,
  onBegin: (server: ReturnType<typeof createBoundedServer>) => void = () => {},
) {
  const begun: Begun[] = [];
  const turn = countTurns(context);
  const server = createBoundedServer(
    ({ socket, url }, response) => {
      begun.push({ from: socket.remoteAddress!, path: url!, turn: turn() });
      response.end('done');
      onBegin(server);
    },
    { http: {}, bounds: connectionBounds(1, 1024 ** 2, 1024 ** 3), isProxy: () => false },
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const sockets: Socket[] = [];
  context.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });

  /** Connected on both sides, so that the next turn reads what all of them have sent by then. */
  async function join(localAddress: string, many: number): Promise<Socket[]> {
    const joined = Array.from({ length: many }, () =>
      connect({ host: '127.0.0.1', port, localAddress })
        .on('error', () => {})
        .resume(),
    );
    sockets.push(...joined);
    await eventually(async () => assert.equal(await connected(server), sockets.length));
    return joined;
  }
  return { begun, join };
}

function connected(server: ReturnType<typeof createBoundedServer>): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  server.getConnections((_error, count) => resolve(count));
  return promise;
}

test('three hundred of one address at once are spread over turns, and one of another does not wait for them', async (context) => {
  const { begun, join } = await startServer(context);
  const many = await join(crowd, 300);
  const [one] = await join(other, 1);
  for (const socket of many) socket.write(get('/'));
  one!.write(get('/'));
  await eventually(async () => assert.equal(begun.length, 301));
  const ofTurns = [...Map.groupBy(begun, ({ turn }) => turn).values()].map(({ length }) => length);
  // What began when it arrived, and what began after, in one turn as the counter sees it.
  assert.ok(Math.max(...ofTurns) <= 32, `requests of a turn: ${ofTurns.join()}`);
  const place = begun.findIndex(({ from }) => from === other);
  assert.ok(place < 100, `it began as number ${place}`);
});

test('what waits for its turn on one connection keeps its order', async (context) => {
  const { begun, join } = await startServer(context);
  const many = await join(crowd, 100);
  const [one] = await join(other, 1);
  const heard = hear(one!);
  for (const socket of many) socket.write(get('/'));
  const paths = ['/1', '/2', '/3', '/4', '/5', '/6', '/7', '/8'];
  one!.write(paths.map((path) => get(path)).join('') + get('/9', 'close'));
  assert.equal((await heard).split('HTTP/1.1 200').length - 1, 9);
  const own = begun.filter(({ from }) => from === other).map(({ path }) => path);
  assert.deepEqual(own, [...paths, '/9']);
  await eventually(async () => assert.equal(begun.length, 109));
});

test('who is gone before its turn is not served', async (context) => {
  const { begun, join } = await startServer(context, (server) => {
    // The first of a later turn: by then all of them have arrived.
    if (begun.at(-1)!.turn > begun[0]!.turn + 1) server.closeAllConnections();
  });
  const many = await join(crowd, 200);
  for (const socket of many) socket.write(get('/'));
  await Promise.all(many.map((socket) => socket.closed || once(socket, 'close')));
  assert.ok(begun.length > 16 && begun.length < 100, `${begun.length} began`);
});
