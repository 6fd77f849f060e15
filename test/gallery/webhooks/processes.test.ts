/**
 * Tests real server processes: acknowledged actions are delivered, although processes are killed, stopped, or
 * run in parallel.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { deliveryLeaseSeconds } from '../../../server/gallery/webhooks/lease-deliveries.ts';
import { eventually } from '../../support/gallery-counts.ts';
import { makeTestDatabase } from '../../support/harness.ts';
import { createPerson, type Person, register } from '../../support/people.ts';
import { createRandom } from '../../support/random.ts';
import { testSeed } from '../../support/seed.ts';
import { type ServerProcess, startServer } from '../../support/server-process.ts';
import { startReceiver, verifySignature, type WebhookReceiver } from '../../support/webhook-receiver.ts';
import { addWebhook, awaitLatest, type CreatedWebhook, readDeliveries } from '../../support/webhooks.ts';

const rounds = 3;
const timeoutMs = 150_000;

describe(`server processes with webhooks (seed ${testSeed})`, () => {
  const random = createRandom(testSeed);
  let dataDir: string;
  let database: Awaited<ReturnType<typeof makeTestDatabase>>;
  let receiver: WebhookReceiver;
  let servers: ServerProcess[] = [];
  let owner: Person;
  let fan: Person;
  let webhook: CreatedWebhook;
  /** Seconds by which the clocks of the servers are ahead. */
  let later = 0;

  const start = () =>
    startServer({
      dataDir,
      later,
      environment: { WEBHOOK_ALLOW_PRIVATE: '1', ...(database && { DATABASE_URL: database.url }) },
    });

  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'lightwell-webhooks-'));
    database = await makeTestDatabase();
    receiver = await startReceiver();
    servers = [await start()];
    owner = await register(servers[0]!, 'owner');
    fan = await register(servers[0]!, 'fan');
    webhook = await addWebhook(owner, receiver.url, { events: ['follow.created'] });
  });
  after(async () => {
    await Promise.all(servers.map((server) => server.end('SIGKILL')));
    await receiver.close();
    await database?.drop();
    await rm(dataDir, { recursive: true, force: true });
  });

  /** Follows and unfollows `times` times, and returns how many follows the server acknowledged. */
  async function follow(times: number, server = servers[0]!): Promise<number> {
    const who = createPerson(server, fan.name, fan.token, fan.id);
    let answered = 0;
    for (let call = 0; call < 2 * times; call++) {
      const answer = await who.post(`/api/users/${owner.id}/follow`).catch(() => undefined);
      if (answer?.body.data?.is_following) answered++;
    }
    return answered;
  }

  const idsReceived = () => new Set(receiver.received.map(({ headers }) => headers['webhook-id']));

  test('deliver after the restart when they are killed between commit and delivery', async () => {
    let answered = 0;
    for (let round = 1; round <= rounds; round++) {
      // The receiver does not respond, so that the kill hits running attempts.
      receiver.answer = () => {};
      const asking = follow(10);
      await pause(50 + random.below(300));
      assert.equal(await servers[0]!.end('SIGKILL'), 'SIGKILL');
      answered += await asking;
      receiver.answer = 200;
      // Deliveries that were running wait until their lease expires. After the last kill, the clock is past
      // that time.
      if (round === rounds) later = deliveryLeaseSeconds;
      servers = [await start()];
    }
    answered += await follow(1);
    assert.ok(answered > 0);
    const here = createPerson(servers[0]!, owner.name, owner.token, owner.id);
    let log: { status: string; event_id: string }[] = [];
    await eventually(async () => {
      log = await readDeliveries(here, webhook);
      assert.deepEqual([...new Set(log.map(({ status }) => status))], ['delivered']);
    }, timeoutMs);
    assert.ok(log.length >= answered, `${log.length} told of ${answered} that were answered`);
    const ids = idsReceived();
    for (const { event_id } of log) assert.ok(ids.has(event_id));
    for (const received of receiver.received) verifySignature(webhook.secret, received);
  });

  test('deliver each event once when three run', async () => {
    receiver.received.length = 0;
    receiver.answer = (response) => setTimeout(() => response.writeHead(200).end(), 20);
    while (servers.length < 3) servers.push(await start());
    let answered = 0;
    for (const server of servers) answered += await follow(15, server);
    assert.equal(answered, 45);
    await receiver.wait(answered);
    const here = createPerson(servers[0]!, owner.name, owner.token, owner.id);
    await awaitLatest(here, webhook, ({ status }) => assert.equal(status, 'delivered'));
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    assert.equal(ids.length, new Set(ids).size, 'none twice');
    assert.equal(ids.length, answered);
  });

  test('finish and record an attempt when they are stopped', async () => {
    receiver.received.length = 0;
    for (const server of servers.splice(1)) assert.equal(await server.end('SIGTERM'), 0, server.output());
    receiver.answer = (response) => setTimeout(() => response.writeHead(200).end(), 2000);
    assert.equal(await follow(1), 1);
    await receiver.wait(1);
    assert.equal(await servers[0]!.end('SIGTERM'), 0, servers[0]!.output());
    servers = [await start()];
    const here = createPerson(servers[0]!, owner.name, owner.token, owner.id);
    await awaitLatest(here, webhook, ({ status, attempts }) =>
      assert.deepEqual([status, attempts], ['delivered', 1]),
    );
    assert.equal(receiver.received.length, 1);
  });
});
