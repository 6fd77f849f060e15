/**
 * Tests that three processes share rate limits through Redis. While Redis is down, frozen or emptied, uploads
 * and edits work as usual, and each process counts alone. `npm run torture -- dependencies` does the same
 * under load.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertRead, assertWritten } from '../../support/assert-answers.ts';
import { eventually } from '../../support/gallery-counts.ts';
import { type Answer, addPhoto, asVisitor, type Person, password, register } from '../../support/people.ts';
import { createRequestHead, exchangeRaw } from '../../support/raw.ts';
import { type RedisServer, startRedis, withoutRedis } from '../../support/redis.ts';
import { type Processes, startProcesses } from './gallery.ts';

const limit = 40;
const recoveryMs = 60_000;

describe('three processes with one Redis', { skip: withoutRedis }, () => {
  let redis: RedisServer;
  let gallery: Processes;
  let ann: Person;
  /** One user for each state of Redis, because rate limits count per user. */
  const writers: Person[] = [];
  let addresses = 0;

  before(async () => {
    redis = await startRedis();
    gallery = await startProcesses(3, {
      REDIS_URL: redis.url,
      RATE_LIMIT: String(limit),
      TRUST_PROXY: 'true',
    });
    ann = await register(gallery.servers[0]!, 'ann');
    for (let n = 0; n < 4; n++) writers.push(await register(gallery.servers[0]!, `writer${n}`));
  });
  after(async () => {
    await gallery?.close();
    await redis?.stop();
  });

  const newAddress = () => `198.18.${++addresses >> 8}.${addresses & 255}`;
  const call = (number: number, address: string, path = '/api/photos') =>
    asVisitor(gallery.servers[number % 3]!).get(path, { 'x-forwarded-for': address });
  const login = (number: number, address: string, secret: string, username = 'ann') =>
    asVisitor(gallery.servers[number % 3]!).send('POST', '/api/auth/login', {
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
      body: JSON.stringify({ username, password: secret }),
    });
  const served = (answers: Answer[]) => {
    for (const { status } of answers) assert.ok(status === 200 || status === 429, String(status));
    return answers.filter(({ status }) => status === 200).length;
  };
  const burst = (count: number, address: string) =>
    Promise.all(Array.from({ length: count }, (_, number) => call(number, address)));
  const readiness = () =>
    Promise.all(gallery.servers.map((server) => asVisitor(server).get('/health/ready')));
  async function assertRedisIs(status: 'ok' | 'failed'): Promise<void> {
    await eventually(async () => {
      for (const answer of await readiness()) {
        // A server without Redis reports that it is ready: a load balancer must not remove the process.
        assert.deepEqual([answer.status, answer.body.status], [200, 'ok']);
        assert.equal(answer.body.redis.status, status);
      }
    }, recoveryMs);
  }
  const complaints = () =>
    gallery.servers.map((server) => server.output().split('Redis does not respond').length - 1);

  /** Tries several times, because on a slow machine Redis may miss its limit of 250 ms. */
  const assertOneLimit = () =>
    eventually(async () => {
      const answers = await burst(limit * 2, newAddress());
      assert.equal(served(answers), limit);
      const refused = answers.find(({ status }) => status === 429)!;
      assert.equal(refused.body.code, 429);
      assert.ok(Number(refused.headers.get('retry-after')) >= 1);
      assert.equal((await call(0, newAddress())).headers.get('x-ratelimit-remaining'), String(limit - 1));
    }, recoveryMs);

  /** Asserts that every process accepts an upload and an edit, and that every process shows them. */
  async function assertWrites(): Promise<void> {
    const everywhere = gallery.everywhere(writers.pop()!);
    const ids = await Promise.all(
      everywhere.map(async (who) => {
        const { id } = await addPhoto(who);
        assertWritten(await who.post(`/api/photos/${id}/edit`, { action: 'rotate', params: { angle: 90 } }));
        return id;
      }),
    );
    for (const who of everywhere) {
      for (const id of ids) {
        const { path, thumb } = assertRead(await who.get(`/api/photos/${id}`));
        for (const image of [path, thumb]) assert.equal((await who.get(image)).status, 200);
      }
    }
  }

  test('share one rate limit and one limit of login attempts', async () => {
    await assertRedisIs('ok');
    await assertOneLimit();
    await eventually(async () => {
      const address = newAddress();
      const tries = [];
      for (let number = 0; number < 12; number++) tries.push((await login(number, address, 'wrong')).status);
      assert.deepEqual(tries, [...Array.from({ length: 10 }, () => 401), 429, 429]);
    }, recoveryMs);
    assert.equal((await login(1, newAddress(), password)).status, 200, 'its owner elsewhere');
  });

  test('store only keys of this gallery, and the keys expire', async () => {
    await assertOneLimit();
    const keys = (await redis.command('KEYS', '*')) as string[];
    assert.ok(
      keys.some((key) => key.includes(':api:198.18.')),
      keys.join(),
    );
    for (const key of keys) {
      assert.match(key, /^lightwell:[0-9a-f]{12}:/);
      assert.ok(Number(await redis.command('PTTL', key)) > 0, `${key} stays for ever`);
    }
  });

  test('keep sessions and restart limits when Redis is emptied', async () => {
    await eventually(async () => {
      const address = newAddress();
      assert.equal(served(await burst(limit * 2, address)), limit);
      await redis.command('FLUSHALL');
      assert.equal(served(await burst(limit * 2, address)), limit);
    }, recoveryMs);
    await Promise.all([redis.command('FLUSHALL'), assertWrites()]);
    for (const one of gallery.everywhere(ann)) assert.equal((await one.get('/api/auth/user')).status, 200);
    await assertRedisIs('ok');
  });

  test('answer requests without long waits while Redis hangs', async (context) => {
    context.after(() => redis.wake());
    const before = complaints();
    await assertRedisIs('ok');
    redis.sleep();
    const late = await Promise.all([0, 1, 2].map((number) => call(number, newAddress())));
    assert.equal(served(late), 3);
    await assertWrites();
    // The server has noticed the outage and no longer asks Redis, so each request is fast.
    const times: number[] = [];
    for (let number = 0; number < 30; number++) {
      const start = performance.now();
      assert.equal((await call(number, newAddress())).status, 200);
      times.push(performance.now() - start);
    }
    times.sort((one, other) => one - other);
    assert.ok(times[15]! < 240, `the median is ${times[15]} ms`);
    await assertRedisIs('failed');
    assert.equal((await login(1, newAddress(), password)).status, 200);
    redis.wake();
    await assertRedisIs('ok');
    await assertOneLimit();
    // The server logs an outage of Redis once, not once per request. A slow machine may add an outage. The
    // log is written in batches.
    await eventually(async () => {
      for (const [index, count] of complaints().entries()) {
        const said = count - before[index]!;
        assert.ok(said >= 1 && said <= 3, `${said} lines`);
      }
    });
  });

  test('count half each while Redis is gone, say so, and find it again', async () => {
    const before = complaints();
    // On a busy machine a process may have lost Redis before, and would log nothing new.
    await assertRedisIs('ok');
    await Promise.all([redis.stop(), assertWrites()]);
    await assertRedisIs('failed');
    const address = newAddress();
    assert.equal(served(await burst(limit * 6, address)), (limit / 2) * 3);
    const tries = [];
    const guesser = newAddress();
    for (let number = 0; number < 18; number++) tries.push((await login(number, guesser, 'wrong')).status);
    assert.deepEqual(tries, [...Array.from({ length: 15 }, () => 401), 429, 429, 429]);
    for (const one of gallery.everywhere(ann)) assert.equal((await one.get('/api/auth/user')).status, 200);
    await eventually(async () => {
      for (const [index, count] of complaints().entries()) assert.ok(count > before[index]!);
    }, recoveryMs);
    await Promise.all([redis.start(), assertWrites()]);
    await assertRedisIs('ok');
    await assertOneLimit();
    for (const server of gallery.servers) {
      assert.doesNotMatch(server.output(), /unhandled|uncaught|"level":(50|60)/i);
    }
  });

  test('count together on one machine while Redis is gone', async () => {
    await redis.stop();
    const other = await startProcesses(1, {
      REDIS_URL: redis.url,
      RATE_LIMIT: String(limit),
      TRUST_PROXY: 'true',
      WORKERS: '2',
    });
    try {
      const request = createRequestHead('GET', '/api/photos', { 'X-Forwarded-For': newAddress() });
      // Each request uses its own connection, so that both workers get requests.
      const answers = await Promise.all(
        Array.from({ length: limit * 2 }, () => exchangeRaw(other.servers[0]!, request)),
      );
      assert.equal(answers.filter(({ status }) => status === 200).length, limit / 2);
      assert.equal(answers.filter(({ status }) => status === 429).length, limit * 1.5);
    } finally {
      await other.close();
    }
  });

  test('start without Redis', async () => {
    await redis.stop();
    const other = await startProcesses(1, { REDIS_URL: redis.url, RATE_LIMIT: '4' });
    try {
      const anybody = asVisitor(other.servers[0]!);
      const statuses = [];
      for (let number = 0; number < 3; number++) statuses.push((await anybody.get('/api/photos')).status);
      assert.deepEqual(statuses, [200, 200, 429]);
      assert.equal((await anybody.get('/health/ready')).body.redis.status, 'failed');
      const readFigures = async () => (await fetch(`${other.servers[0]!.url}/metrics`)).text();
      assert.match(await readFigures(), /^lightwell_redis_up 0$/m);
      await redis.start();
      await eventually(async () => {
        assert.equal((await anybody.get('/health/ready')).body.redis.status, 'ok');
      }, recoveryMs);
      assert.match(await readFigures(), /^lightwell_redis_up 1$/m);
      assert.equal(await other.servers[0]!.end('SIGTERM'), 0);
    } finally {
      await other.close();
    }
  });
});
