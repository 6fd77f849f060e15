/** Tests WORKERS=3: one start with three processes on SQLite, without PostgreSQL or Redis. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { eventually, listTemporaryFiles } from '../../support/gallery-counts.ts';
import { addPhoto, asVisitor, type Person, password, register } from '../../support/people.ts';
import { createJpeg } from '../../support/pictures.ts';
import { createRequestHead, exchangeRaw } from '../../support/raw.ts';
import { type ServerProcess, startServer } from '../../support/server-process.ts';

const limit = 100;
const workers = 3;

describe('three workers', { skip: process.platform !== 'linux' && 'needs /proc' }, () => {
  let dataDir: string;
  let server: ServerProcess;
  let ann: Person;
  let addresses = 0;

  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'lightwell-workers-'));
    server = await startServer({
      dataDir,
      environment: {
        WORKERS: String(workers),
        RATE_LIMIT: String(limit),
        TRUST_PROXY: 'true',
        LOG_LEVEL: 'info',
      },
    });
    ann = await register(server, 'ann');
  });
  after(async () => {
    await server?.end('SIGKILL');
    await rm(dataDir, { recursive: true, force: true });
  });

  const newAddress = () => `198.18.${++addresses >> 8}.${addresses & 255}`;
  const pids = () =>
    readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, 'utf8').trim().split(' ').map(Number);
  /** Sends a request on its own connection, so that the next request goes to another worker. */
  const get = (path: string, headers: Record<string, string> = {}) =>
    exchangeRaw(server, createRequestHead('GET', path, { 'X-Forwarded-For': newAddress(), ...headers }));
  const asAnn = (path: string) => get(path, { Authorization: `Bearer ${ann.token}` });
  const several = <Result>(count: number, work: (number: number) => Promise<Result>) =>
    Promise.all(Array.from({ length: count }, (_, number) => work(number)));

  test('share the work, the log says which, and the figures are those of all', async () => {
    assert.equal(pids().length, workers);
    const answers = await several(30, () => get('/api/photos?limit=7'));
    assert.ok(answers.every(({ status }) => status === 200));
    await eventually(async () => {
      const logged = [...server.output().matchAll(/"worker":(\d+).*"path":"\/api\/photos"/g)].map(
        ([, id]) => id,
      );
      assert.equal(logged.length, 30);
      assert.equal(new Set(logged).size, workers);
    });
    for (let number = 0; number < workers; number++) {
      const { status, text } = await get('/metrics');
      assert.equal(status, 200);
      const line =
        /^lightwell_request_duration_seconds_count\{method="GET",route="\/api\/photos",status="2xx"\} (\d+)/m;
      assert.equal(line.exec(text)?.[1], '30');
    }
  });

  test('count one rate limit and one limit of tries', async () => {
    const address = newAddress();
    const answers = await several(limit + 50, () => get('/api/photos', { 'X-Forwarded-For': address }));
    assert.equal(answers.filter(({ status }) => status === 200).length, limit);
    assert.equal(answers.filter(({ status }) => status === 429).length, 50);
    assert.equal((await get('/api/photos')).headers.get('x-ratelimit-remaining'), String(limit - 1));

    const body = JSON.stringify({ username: 'ann', password: 'wrong' });
    const guess = async () => {
      const start = createRequestHead('POST', '/api/auth/login', {
        'X-Forwarded-For': address.replace('198.18', '198.19'),
        'Content-Type': 'application/json',
        'Content-Length': body.length,
      });
      return (await exchangeRaw(server, start + body)).status;
    };
    const statuses = await several(15, guess);
    assert.equal(statuses.filter((status) => status === 401).length, 10);
    assert.equal(statuses.filter((status) => status === 429).length, 5);
  });

  test('know at once what one of them has changed', async () => {
    const login = await asVisitor(server).post('/api/auth/login', { username: 'ann', password });
    const token = login.body.data.token as string;
    const elsewhere = () => get('/api/auth/user', { Authorization: `Bearer ${token}` });
    const photo = await addPhoto(ann, { title: 'seen' });
    for (const { status } of await several(9, elsewhere)) assert.equal(status, 200);
    for (const { status } of await several(9, () => get(`/api/photos/${photo.id}`)))
      assert.equal(status, 200);

    assert.equal((await ann.put(`/api/photos/${photo.id}`, { is_public: 0 })).status, 200);
    const hidden = [`/api/photos/${photo.id}`, photo.path, photo.thumb];
    for (const { status } of await several(9, (number) => get(hidden[number % 3]!)))
      assert.equal(status, 403);
    for (const { body } of await several(6, () => get('/api/photos'))) assert.equal(body.data.list.length, 0);

    const sent = await exchangeRaw(
      server,
      createRequestHead('POST', '/api/auth/logout', {
        Authorization: `Bearer ${token}`,
        'Content-Length': 0,
      }),
    );
    assert.equal(sent.status, 200);
    for (const { status } of await several(9, elsewhere)) assert.equal(status, 401);
  });

  test('write to one file without getting in each other’s way', async () => {
    const racers = await several(60, async (number) => {
      const body = JSON.stringify({ username: 'racer', email: `racer${number}@example.org`, password });
      const start = createRequestHead('POST', '/api/auth/register', {
        'X-Forwarded-For': newAddress(),
        'Content-Type': 'application/json',
        'Content-Length': body.length,
      });
      return (await exchangeRaw(server, start + body, { timeoutMs: 60_000 })).body.code as number;
    });
    assert.equal(racers.filter((code) => code === 0).length, 1);
    assert.equal(racers.filter((code) => code === 10001).length, 59);

    const { id } = await addPhoto(ann);
    const likes = await several(30, () =>
      exchangeRaw(
        server,
        createRequestHead('POST', `/api/photos/${id}/like`, {
          Authorization: `Bearer ${ann.token}`,
          'Content-Length': 0,
        }),
      ),
    );
    assert.deepEqual([...new Set(likes.map(({ status }) => status))], [200]);
    assert.equal((await asAnn(`/api/photos/${id}`)).body.data.likes, 0);
  });

  test('one that dies is replaced, and meanwhile the others serve', async () => {
    const [victim] = pids() as [number];
    process.kill(victim, 'SIGKILL');
    await eventually(async () => {
      assert.ok(!pids().includes(victim));
      assert.equal(pids().length, workers);
    }, 20_000);
    for (const { status } of await several(12, () => get('/api/photos'))) assert.equal(status, 200);
    await eventually(async () => {
      assert.match(server.output(), /a worker process exited; starting another one/);
      const answers = await several(6, () => get('/health/ready'));
      assert.ok(answers.every(({ status }) => status === 200));
      assert.equal((await get('/metrics')).status, 200);
    }, 20_000);
  });

  test('one that hangs keeps one connection waiting at most, and the others are served', async () => {
    const [victim] = pids() as [number];
    process.kill(victim, 'SIGSTOP');
    const statuses: number[] = [];
    const asked = several(12, async () => statuses.push((await get('/health/live')).status));
    await eventually(async () => assert.deepEqual(statuses, Array<number>(11).fill(200)));
    process.kill(victim, 'SIGCONT');
    await asked;
    assert.equal(statuses.at(-1), 200);
  });

  test('stop together: what was received is finished, and the exit code is 0', async () => {
    const picture = await createJpeg({ width: 3000, height: 2000 });
    const uploads = several(4, () => ann.upload(picture).catch(() => undefined));
    await eventually(async () => assert.ok((await listTemporaryFiles(dataDir)).length > 0));
    assert.equal(await server.end('SIGTERM'), 0, server.output());
    const answered = (await uploads).filter((answer) => answer?.status === 200);
    assert.ok(answered.length > 0);
    assert.deepEqual(await listTemporaryFiles(dataDir), []);
    server = await startServer({ dataDir });
    for (const answer of answered) {
      assert.equal((await asVisitor(server).get(`/api/photos/${answer!.body.data.id}`)).status, 200);
    }
    assert.equal(await server.end('SIGTERM'), 0);
  });

  test('do not outlive the process that started them', async () => {
    server = await startServer({ dataDir, environment: { WORKERS: '2' } });
    const [one, two] = pids() as [number, number];
    assert.equal(await server.end('SIGKILL'), 'SIGKILL');
    const isRunning = (pid: number) => existsSync(`/proc/${pid}`);
    await eventually(async () => assert.deepEqual([one, two].map(isRunning), [false, false]), 20_000);
  });

  test('say so and end when the port is taken', async () => {
    const taken = await startServer({ dataDir });
    try {
      const environment = { WORKERS: '2', PORT: new URL(taken.url).port };
      await assert.rejects(
        startServer({ dataDir, environment }),
        /ended with 1:[\s\S]*another program uses this port/,
      );
    } finally {
      await taken.end('SIGTERM');
    }
  });

  test('say so once and end when none of them can start', async () => {
    const DATABASE_URL = 'postgres://nobody@127.0.0.1:1/none';
    const environment = { WORKERS: '3', DATABASE_URL, START_TIMEOUT: '0' };
    await assert.rejects(startServer({ dataDir, environment }), (error: Error) => {
      assert.match(error.message, /ended with 1:/);
      const told = error.message.match(/Cannot use PostgreSQL at 127\.0\.0\.1:1: the connection is refused/g);
      assert.equal(told?.length, 1, error.message);
      return true;
    });
  });
});
