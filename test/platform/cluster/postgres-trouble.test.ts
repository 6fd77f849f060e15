/**
 * Tests times when PostgreSQL restarts, drops its connections, freezes or has no free connection. The server
 * must answer 503, do nothing twice, and need no restart.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import pino from 'pino';
import { readConfig } from '../../../server/config.ts';
import { closeDeps, openDeps } from '../../../server/deps.ts';
import { runMaintenance } from '../../../server/tools/maintenance/maintenance.ts';
import {
  eventually,
  listObjectsOnDisk,
  listReferencedObjects,
  listTemporaryFiles,
} from '../../support/gallery-counts.ts';
import { type Answer, addPhoto, asVisitor, type Person, register } from '../../support/people.ts';
import { createJpeg } from '../../support/pictures.ts';
import { type Postgres, startPostgres } from '../../support/postgres.ts';
import { type ServerProcess, startServer } from '../../support/server-process.ts';
import { startProxy, type TcpProxy } from './proxy.ts';

const restarts = 3;
/**
 * Maximum milliseconds until the first success after the database is back, far above what an idle machine
 * needs.
 */
const recoveryMs = 15_000;

describe('a gallery whose PostgreSQL is in trouble', () => {
  let postgres: Postgres;
  let proxy: TcpProxy;
  let dataDir: string;
  let server: ServerProcess;
  let ann: Person;
  let photoId: number;

  before(async () => {
    postgres = await startPostgres();
    const url = new URL(postgres.url);
    proxy = await startProxy(Number(url.port));
    url.port = String(proxy.port);
    dataDir = await mkdtemp(join(tmpdir(), 'lightwell-postgres-trouble-'));
    server = await startServer({
      dataDir,
      environment: {
        DATABASE_URL: url.href,
        DATABASE_POOL: '4',
        DATABASE_CONNECT_TIMEOUT: '1',
        DATABASE_STATEMENT_TIMEOUT: '2',
        DATABASE_LOCK_TIMEOUT: '1',
      },
    });
    ann = await register(server, 'ann');
    photoId = (await addPhoto(ann)).id;
  });
  after(async () => {
    await server?.end('SIGKILL');
    await proxy?.close();
    await postgres?.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  /** Sends a statement straight to PostgreSQL, without the server and the proxy. */
  async function directly(sql: string) {
    const client = new pg.Client({ connectionString: postgres.url });
    await client.connect();
    try {
      return (await client.query(sql)).rows;
    } finally {
      await client.end();
    }
  }

  function assertRefusedForNow(answer: Answer): void {
    assert.deepEqual([answer.status, answer.body.code], [503, 503], answer.bytes.toString());
    assert.ok(Number(answer.headers.get('retry-after')) >= 1);
    assert.doesNotMatch(answer.body.message, /postgres|sql|connect|ECONN|terminat/i);
  }

  /**
   * Waits until the server is ready and also answers a signed-in user. The request may use a connection that
   * the server still regards as lost.
   */
  async function assertRecovers(): Promise<void> {
    const start = performance.now();
    await eventually(async () => {
      assert.equal((await ann.get('/health/ready')).status, 200);
      assert.equal((await ann.get('/api/auth/user')).status, 200);
    }, 20_000);
    const ms = performance.now() - start;
    assert.ok(ms < recoveryMs, `it took ${Math.round(ms)} ms`);
  }

  function assertNothingUnhandled(): void {
    assert.doesNotMatch(server.output(), /unhandled|uncaught|"level":(50|60)/i, server.output());
  }

  /** Writes and reads until the caller stops it, and records what the server acknowledged. */
  function load() {
    let isOver = false;
    const names: string[] = [];
    const acknowledged = { albums: [] as string[], uploads: [] as string[] };
    const statuses = new Map<number, number>();
    const note = (answer: Answer) => {
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      if (answer.status !== 200) assertRefusedForNow(answer);
      return answer.status === 200;
    };
    const repeat = async (work: (number: number) => Promise<void>) => {
      for (let number = 0; !isOver; number++) await work(number);
    };
    const makeAlbums = (worker: number) => async (number: number) => {
      const name = `album ${worker} ${number} ${Date.now()}`;
      names.push(name);
      if (note(await ann.post('/api/albums', { name }))) acknowledged.albums.push(name);
    };
    const running = Promise.all([
      ...[1, 2, 3].map((worker) => repeat(makeAlbums(worker))),
      repeat(async () => void note(await ann.get('/api/photos'))),
      repeat(async () => void note(await ann.post(`/api/photos/${photoId}/like`))),
      repeat(async (number) => {
        const isBack = number % 3 === 2;
        const path = `/api/photos/${photoId}/${isBack ? 'revert' : 'edit'}`;
        note(await ann.post(path, isBack ? {} : { action: 'rotate', params: { angle: 90 } }));
      }),
      repeat(async (number) => {
        const title = `upload ${number} ${Date.now()}`;
        if (note(await ann.upload(await createJpeg(), { title }))) acknowledged.uploads.push(title);
      }),
    ]);
    return {
      /** Resolves after the server has acknowledged ten more writes. */
      async goesOn() {
        const before = acknowledged.albums.length + acknowledged.uploads.length;
        await eventually(async () => {
          assert.ok(acknowledged.albums.length + acknowledged.uploads.length >= before + 10);
        }, 20_000);
      },
      async stop() {
        isOver = true;
        await running;
        return { names, acknowledged, statuses };
      },
    };
  }

  async function assertKept({ names, acknowledged }: Awaited<ReturnType<ReturnType<typeof load>['stop']>>) {
    const albums = (await directly('SELECT name FROM albums')).map(({ name }) => name as string);
    assert.equal(new Set(albums).size, albums.length, 'an album was made twice');
    for (const name of acknowledged.albums) assert.ok(albums.includes(name), `${name} is lost`);
    for (const name of albums) assert.ok(names.includes(name));
    const titles = (await directly('SELECT title FROM photos')).map(({ title }) => title as string);
    assert.equal(new Set(titles).size, titles.length, 'a photo was made twice');
    for (const title of acknowledged.uploads) assert.ok(titles.includes(title), `${title} is lost`);
    const { body } = await ann.get(`/api/photos/${photoId}`);
    assert.equal((await ann.get(body.data.path)).status, 200, 'an edit left no image');
    const [counted] = await directly(
      'SELECT (SELECT likes FROM photo_counts WHERE photo_id = 1) AS n, (SELECT count(*)::int FROM likes) AS likes',
    );
    assert.equal(Number(counted!.n), counted!.likes);
  }

  const all: Awaited<ReturnType<ReturnType<typeof load>['stop']>>[] = [];
  const everything = () => ({
    names: all.flatMap(({ names }) => names),
    acknowledged: {
      albums: all.flatMap(({ acknowledged }) => acknowledged.albums),
      uploads: all.flatMap(({ acknowledged }) => acknowledged.uploads),
    },
    statuses: new Map(),
  });

  test('restarted at once, several times under load: only 503, back within seconds, nothing twice', async (context) => {
    const clients = load();
    for (let round = 0; round < restarts; round++) {
      await clients.goesOn();
      await postgres.restart();
      await assertRecovers();
    }
    const outcome = await clients.stop();
    all.push(outcome);
    context.diagnostic(`answers by status: ${JSON.stringify([...outcome.statuses])}`);
    assert.ok((outcome.statuses.get(200) ?? 0) > 10 * restarts);
    await assertKept(everything());
    assertNothingUnhandled();
  });

  test('goes on when its connections are ended one by one', async () => {
    const clients = load();
    for (let round = 0; round < 20; round++) {
      await directly(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE application_name = 'lightwell' ORDER BY random() LIMIT 1`);
      if (round % 5 === 0) await clients.goesOn();
    }
    await assertRecovers();
    all.push(await clients.stop());
    await assertKept(everything());
    assertNothingUnhandled();
  });

  test('refuses in time, health included, and recovers when all its connections wait', async () => {
    const holder = new pg.Client({ connectionString: postgres.url });
    await holder.connect();
    try {
      await holder.query('BEGIN; LOCK TABLE sessions IN ACCESS EXCLUSIVE MODE');
      const start = performance.now();
      const answers = await Promise.all(Array.from({ length: 30 }, () => ann.get('/api/auth/user')));
      const ms = performance.now() - start;
      for (const answer of answers) assertRefusedForNow(answer);
      // All requests wait in parallel, so the total is the lock timeout of one second plus the wait for a
      // connection.
      assert.ok(ms < 8000, `${ms} ms`);
      await assertUnreadyUnderFlood();
    } finally {
      await holder.query('ROLLBACK');
      await holder.end();
    }
    await assertRecovers();
  });

  async function assertUnreadyUnderFlood(): Promise<void> {
    let isSeen = false;
    const ask = async () => {
      while (!isSeen) await ann.get('/api/auth/user');
    };
    // Sends more reads than all connections serve at once.
    const flood = Promise.all(Array.from({ length: 40 }, ask));
    try {
      await eventually(async () => assert.equal((await ann.get('/health/ready')).status, 503), 30_000);
    } finally {
      isSeen = true;
      await flood;
    }
  }

  test('leaves no object behind that the maintenance run does not find', async () => {
    const log = pino({ level: 'silent' });
    const config = readConfig({ DATA_DIR: dataDir, DATABASE_URL: postgres.url });
    const deps = await openDeps(config, log);
    try {
      await runMaintenance(deps, { graceSeconds: 0 });
      assert.deepEqual(await listObjectsOnDisk(dataDir), await listReferencedObjects(deps));
      assert.deepEqual(await listTemporaryFiles(dataDir), []);
    } finally {
      await closeDeps(deps);
    }
  });

  test('gives up a silent PostgreSQL in time and finds it again', async () => {
    proxy.mode = 'hold';
    const start = performance.now();
    const answers = await Promise.all([
      ann.get('/api/auth/user'),
      ann.post('/api/albums', { name: 'into the void' }),
      asVisitor(server).get('/api/photos'),
    ]);
    assert.ok(performance.now() - start < 20_000, `${performance.now() - start} ms`);
    for (const answer of answers) assertRefusedForNow(answer);
    proxy.mode = 'pass';
    await assertRecovers();
    proxy.mode = 'refuse';
    proxy.cutAll();
    assertRefusedForNow(await ann.get('/api/auth/user'));
    assert.equal((await ann.get('/health/ready')).status, 503);
    assert.equal((await ann.get('/health/live')).status, 200);
    proxy.mode = 'pass';
    await assertRecovers();
    assertNothingUnhandled();
  });
});
