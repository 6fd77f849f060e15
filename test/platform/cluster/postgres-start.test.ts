/**
 * Wrong settings for PostgreSQL produce a one-line message. The server waits for a PostgreSQL that is late,
 * and poolers need only the settings in the README.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { eventually } from '../../support/gallery-counts.ts';
import { makeTestDatabase } from '../../support/harness.ts';
import { addPhoto, register } from '../../support/people.ts';
import { findFreePort } from '../../support/postgres.ts';
import { makeBucket, s3Environment } from '../../support/s3.ts';
import { startServer } from '../../support/server-process.ts';
import { type PgBouncer, pooledEnvironment, startPgBouncer, withoutPgBouncer } from './pgbouncer.ts';
import { startProxy } from './proxy.ts';

const main = resolve(import.meta.dirname, '../../../server/main.js');
const cli = resolve(import.meta.dirname, '../../../server/cli.ts');

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lightwell-postgres-start-'));
});
after(() => rm(folder, { recursive: true, force: true }));

function run(program: string, args: string[], environment: Record<string, string>): ChildProcess {
  const env = { PATH: process.env.PATH, DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'warn', ...environment };
  return spawn(process.execPath, [program, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
}

async function outcome(child: ChildProcess) {
  const ended = new Promise<number | string>((found) =>
    child.on('close', (code, signal) => found(code ?? signal!)),
  );
  const [out, error, code] = await Promise.all([text(child.stdout!), text(child.stderr!), ended]);
  return { out, error, code };
}

async function asAdmin(...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: process.env.TEST_POSTGRES_URL });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

function changed(url: string, change: (url: URL) => void): string {
  const copy = new URL(url);
  change(copy);
  return copy.href;
}

describe('a mistake with PostgreSQL', () => {
  const latin = `latin_${randomBytes(4).toString('hex')}`;
  const guest = `guest_${randomBytes(4).toString('hex')}`;
  const password = 'not-the-password';
  let made: NonNullable<Awaited<ReturnType<typeof makeTestDatabase>>>;
  before(async () => {
    made = (await makeTestDatabase())!;
    await asAdmin(
      `CREATE DATABASE ${latin} TEMPLATE template0 ENCODING 'LATIN1' LOCALE_PROVIDER libc LOCALE 'C'`,
      `CREATE ROLE ${guest} LOGIN PASSWORD '${password}'`,
    );
  });
  after(async () => {
    await asAdmin(`DROP DATABASE ${latin} WITH (FORCE)`, `DROP ROLE ${guest}`);
    await made?.drop();
  });

  /** Asserts that the server and each kind of command print the same one-line message without waiting. */
  async function assertTold(url: string, told: RegExp): Promise<void> {
    const environment = { DATABASE_URL: url, START_TIMEOUT: '0' };
    const target = join(folder, randomBytes(4).toString('hex'));
    const all = await Promise.all([
      outcome(run(main, [], environment)),
      outcome(run(cli, ['user', 'create', 'ann', 'ann@example.org'], environment)),
      outcome(run(cli, ['check'], environment)),
      outcome(run(cli, ['backup', `${target}.tar`], environment)),
      outcome(run(cli, ['move', '--database', target, '--storage', target], environment)),
    ]);
    for (const { code, error } of all) {
      // `check` exits with 1 for findings, and with 2 if it could not check.
      assert.ok(code === 1 || code === 2, error);
      const lines = error
        .trim()
        .split('\n')
        .filter((line) => !line.startsWith('Changes made to'));
      assert.equal(lines.length, 1, error);
      assert.match(lines[0]!, told);
      assert.doesNotMatch(error, new RegExp(password));
    }
  }

  test('is reported when the database does not exist', () =>
    assertTold(
      changed(made.url, (url) => {
        url.pathname = '/nowhere';
      }),
      /the database "nowhere" does not exist. Create it: CREATE DATABASE "nowhere" ENCODING 'UTF8'/,
    ));

  test('is reported for a wrong password', () =>
    assertTold(
      changed(made.url, (url) => {
        url.password = password;
      }),
      /the user "postgres" or the password is wrong/,
    ));

  test('is reported when nothing listens', async () => {
    const port = String(await findFreePort());
    await assertTold(
      changed(made.url, (url) => {
        Object.assign(url, { password, port });
      }),
      new RegExp(`Cannot use PostgreSQL at 127.0.0.1:${port}: the connection is refused`),
    );
  });

  test('is reported for an unknown host', () =>
    assertTold(
      changed(made.url, (url) => {
        Object.assign(url, { password, hostname: 'no-such-host.invalid' });
      }),
      /Cannot use PostgreSQL at no-such-host\.invalid:\d+: the host name does not exist/,
    ));

  test('is reported for TLS where the server has none', () =>
    assertTold(`${made.url}?sslmode=require`, /does not support TLS/));

  test('is reported for a user without rights', async () => {
    const url = changed(made.url, (one) => {
      Object.assign(one, { username: guest, password });
    });
    const { code, error } = await outcome(run(main, [], { DATABASE_URL: url }));
    assert.equal(code, 1, error);
    assert.match(
      error.trim(),
      /^Cannot use PostgreSQL at .*"guest_\w+" lacks permissions\. Make this user the owner: ALTER DATABASE.*$/,
    );
  });

  test('is reported for an encoding without room for every language', async () => {
    const url = changed(made.url, (one) => {
      one.pathname = `/${latin}`;
    });
    const { code, error } = await outcome(run(main, [], { DATABASE_URL: url }));
    assert.equal(code, 1, error);
    assert.match(
      error.trim(),
      /^The database "latin_\w+" has the encoding LATIN1.*ENCODING 'UTF8' TEMPLATE template0\.$/,
    );
  });
});

describe('a start before PostgreSQL and the bucket', () => {
  const noStorage = /Cannot use the storage .*Retrying until START_TIMEOUT/;
  const noDatabase = /Cannot use PostgreSQL at .*Retrying until START_TIMEOUT/;

  test('waits for both, says so, and serves', async (context) => {
    const made = (await makeTestDatabase())!;
    context.after(() => made.drop());
    const database = await startProxy(Number(new URL(made.url).port));
    const store = await startProxy(Number(new URL(process.env.TEST_S3_URL!).port));
    context.after(() => Promise.all([database.close(), store.close()]));
    database.mode = 'refuse';
    store.mode = 'refuse';
    const bucket = await makeBucket(`http://127.0.0.1:${store.port}`);
    const server = await startServer({
      dataDir: join(folder, 'waiting'),
      onOutput(output) {
        if (noStorage.test(output)) store.mode = 'pass';
        if (noDatabase.test(output)) database.mode = 'pass';
      },
      environment: {
        DATABASE_URL: changed(made.url, (url) => {
          url.port = String(database.port);
        }),
        ...s3Environment(bucket),
      },
    });
    context.after(() => server.end('SIGKILL'));
    assert.match(server.output(), noStorage);
    assert.match(server.output(), noDatabase);
    await addPhoto(await register(server, 'ann'));
  });

  test('gives up after START_TIMEOUT, with the reason', async () => {
    const url = `postgres://ann:secret-word@127.0.0.1:${await findFreePort()}/lightwell`;
    const start = performance.now();
    const { code, out, error } = await outcome(run(main, [], { DATABASE_URL: url, START_TIMEOUT: '2' }));
    assert.ok(performance.now() - start >= 2000);
    assert.equal(code, 1);
    assert.match(
      error.trim(),
      /^Cannot use PostgreSQL at .*: the connection is refused\. Is PostgreSQL running\?$/,
    );
    assert.match(out, /Retrying until START_TIMEOUT/);
    assert.doesNotMatch(out + error, /secret-word/);
  });

  test('does not wait for what will not pass', async () => {
    const url = changed(process.env.TEST_POSTGRES_URL!, (one) => {
      one.pathname = '/nowhere';
    });
    const { code, out } = await outcome(run(main, [], { DATABASE_URL: url, START_TIMEOUT: '600' }));
    assert.equal(code, 1);
    assert.equal(out, '');
    const missing = s3Environment(`s3://no-such-bucket?endpoint=${process.env.TEST_S3_URL}`);
    const bucket = await outcome(run(main, [], { ...missing, START_TIMEOUT: '600' }));
    assert.equal(bucket.code, 1);
    assert.match(bucket.error, /the bucket "no-such-bucket" does not exist/);
    assert.equal(bucket.out, '');
  });

  for (const workers of ['1', '2']) {
    test(`ends at SIGTERM, with WORKERS=${workers}`, async () => {
      const url = `postgres://ann@127.0.0.1:${await findFreePort()}/lightwell`;
      const child = run(main, [], { DATABASE_URL: url, START_TIMEOUT: '600', WORKERS: workers });
      let out = '';
      child.stdout!.on('data', (chunk) => {
        out += chunk;
      });
      const ended = outcome(child);
      await eventually(async () => assert.match(out, /Retrying until START_TIMEOUT/), 60_000);
      child.kill('SIGTERM');
      assert.equal((await ended).code, 0);
    });
  }
});

describe('PgBouncer in transaction pooling', { skip: withoutPgBouncer }, () => {
  let made: NonNullable<Awaited<ReturnType<typeof makeTestDatabase>>>;
  let pooler: PgBouncer;
  before(async () => {
    made = (await makeTestDatabase())!;
    pooler = await startPgBouncer(made.url);
  });
  after(async () => {
    await pooler?.stop();
    await made?.drop();
  });

  test('says in one line what it needs', async () => {
    const { code, error } = await outcome(run(main, [], { DATABASE_URL: pooler.of(made.url) }));
    assert.equal(code, 1);
    assert.match(
      error.trim(),
      /^Cannot use PostgreSQL at .*PgBouncer refuses.*DATABASE_STATEMENT_TIMEOUT=0 and DATABASE_LOCK_TIMEOUT=0\.$/,
    );
  });

  test('takes a gallery that is restored, or moved, and gives it back', async (context) => {
    const dataDir = join(folder, 'first');
    const first = await startServer({ dataDir });
    const ann = await register(first, 'ann');
    const { id } = await addPhoto(ann, { title: 'Half Dome' });
    await first.end('SIGTERM');
    const archive = join(folder, 'gallery.tar');
    const command = async (args: string[], environment: Record<string, string>) => {
      const { code, out, error } = await outcome(run(cli, args, { ...pooledEnvironment, ...environment }));
      assert.equal(code, 0, error);
      return out;
    };
    await command(['backup', archive], { DATA_DIR: dataDir });

    const restored = { DATA_DIR: join(folder, 'restored'), DATABASE_URL: pooler.of(made.url) };
    assert.match(await command(['restore', archive], restored), /Restored \d+ rows and 3 files/);
    const other = (await makeTestDatabase())!;
    context.after(() => other.drop());
    const moved = { DATA_DIR: join(folder, 'moved'), DATABASE_URL: pooler.of(other.url) };
    const target = ['--database', moved.DATABASE_URL, '--storage', moved.DATA_DIR];
    assert.match(await command(['move', ...target], restored), /Moved \d+ rows in \d+ tables and 3 files/);

    const { DATA_DIR, ...environment } = { ...pooledEnvironment, DATABASE_PREPARE: '0', ...moved };
    const second = await startServer({ dataDir: DATA_DIR, environment });
    try {
      const answer = await fetch(`${second.url}/api/photos/${id}`);
      assert.equal(((await answer.json()) as { data: { title: string } }).data.title, 'Half Dome');
    } finally {
      await second.end('SIGTERM');
    }
  });
});
