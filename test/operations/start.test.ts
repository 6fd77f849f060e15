/**
 * Tests starts of the server: messages about wrong settings, and permissions of new files on a machine with
 * other users.
 */
import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { runCommand, spawnCommand } from '../support/command.ts';
import { type ServerOptions, startServer } from '../support/server-process.ts';

let folder: string;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lightwell-start-'));
  // Sets the umask that most systems give their services.
  process.umask(0o022);
});
after(() => rm(folder, { recursive: true, force: true }));

/** Creates a data folder that other users can read, like a folder that systemd or `docker volume` creates. */
async function newDataDir(): Promise<string> {
  const dataDir = await mkdtemp(join(folder, 'data-'));
  await chmod(dataDir, 0o755);
  return dataDir;
}

async function refusal(options: ServerOptions): Promise<string> {
  const error = await startServer(options).then(
    async (server) => {
      await server.end('SIGKILL');
      return undefined;
    },
    (error: Error) => error,
  );
  assert.ok(error, 'the server started');
  return error.message;
}

const posix = { skip: process.platform === 'win32' && 'file modes are those of POSIX systems' };

test('the database is readable by its own user alone, whatever the umask', posix, async () => {
  const dataDir = await newDataDir();
  const first = await startServer({ dataDir });
  await fetch(`${first.url}/api/photos`);
  const database = (await readdir(dataDir)).filter((name) => name.startsWith('lightwell.db'));
  assert.deepEqual(database.sort(), ['lightwell.db', 'lightwell.db-shm', 'lightwell.db-wal']);
  assertPrivate(await readModes(dataDir, await readdir(dataDir)));
  await first.end('SIGKILL');

  // Files that an earlier version left readable to other users become private at the next start, or by a
  // command.
  for (const name of database) await chmod(join(dataDir, name), 0o644);
  const second = await startServer({ dataDir });
  assertPrivate(await readModes(dataDir, database));
  await second.end('SIGTERM');
  for (const name of await readdir(dataDir))
    if (name.startsWith('lightwell.db')) await chmod(join(dataDir, name), 0o644);
  assert.equal((await spawnCommand({ DATA_DIR: dataDir }, ['backup', join(folder, 'gallery.tar')])).code, 0);
  assertPrivate(await readModes(folder, ['gallery.tar']));
  assertPrivate(await readModes(dataDir, ['lightwell.db']));
});

test(
  'compiled modules are kept where no other account can put others: not in a folder of another account',
  posix,
  async () => {
    const temporary = await mkdtemp(join(folder, 'tmp-'));
    const environment = { TMPDIR: temporary };
    const first = await startServer({ dataDir: await newDataDir(), environment });
    await first.end('SIGTERM');
    const [name, ...more] = await readdir(temporary);
    assert.match(name!, /^lightwell-modules-\d+$/);
    assert.deepEqual(more, []);
    assertPrivate(await readModes(temporary, [name!]));
    assert.ok((await readdir(join(temporary, name!))).length > 0);

    await rm(join(temporary, name!), { recursive: true });
    await mkdir(join(temporary, name!), { mode: 0o777 });
    await chmod(join(temporary, name!), 0o777);
    const second = await startServer({ dataDir: await newDataDir(), environment });
    await second.end('SIGTERM');
    assert.deepEqual(await readdir(join(temporary, name!)), []);
  },
);

async function readModes(at: string, names: string[]): Promise<Map<string, number>> {
  const modes = new Map<string, number>();
  for (const name of names) modes.set(name, (await stat(join(at, name))).mode);
  return modes;
}

function assertPrivate(modes: Map<string, number>): void {
  for (const [name, mode] of modes) assert.equal(mode & 0o077, 0, `others may read ${name}`);
}

test('a busy port is told in one line that names the port and the way out', async () => {
  const holder = createServer().listen(0, '127.0.0.1');
  await new Promise((listening) => holder.once('listening', listening));
  const { port } = holder.address() as { port: number };
  for (const WORKERS of ['1', '2']) {
    const text = await refusal({ dataDir: await newDataDir(), environment: { PORT: String(port), WORKERS } });
    assert.match(
      text,
      new RegExp(`^Cannot listen on 127\\.0\\.0\\.1 port ${port}: another program .*PORT\\.$`, 'm'),
    );
    assert.doesNotMatch(text, /EADDRINUSE|at .*:\d+:\d+/);
  }
  holder.close();
});

test('an address that this machine does not have is told in one line', async () => {
  const text = await refusal({ dataDir: await newDataDir(), environment: { HOST: '192.0.2.1' } });
  assert.match(text, /^Cannot listen on 192\.0\.2\.1 port 0: this machine does not have that address/m);
  assert.doesNotMatch(text, /at .*:\d+:\d+/);
});

const ADMIN_PASSWORD = 'half dome 1927';

async function galleryWith(username: string, email: string): Promise<string> {
  const dataDir = await newDataDir();
  const create = ['user', 'create', username, email];
  const { code, err } = await runCommand({ DATA_DIR: dataDir }, create, { input: 'mine, not yours' });
  assert.equal(code, 0, err);
  return dataDir;
}

test('a machine on which no picture can be opened is told at the start', async () => {
  const dataDir = await newDataDir();
  // A file named `workers` prevents the creation of the folder for picture workers.
  await writeFile(join(dataDir, 'workers'), '');
  const message = await refusal({ dataDir });
  assert.match(message, /^The server cannot decode pictures: Error: ENOTDIR: .*workers'$/m);
  assert.match(message, /ended with 1/);
  assert.doesNotMatch(message, /at .*:\d+:\d+/);
});

test('an ADMIN_EMAIL that was registered before is told in one line, and makes no admin', async () => {
  const dataDir = await galleryWith('mallory', 'root@example.org');
  const environment = { ADMIN_USERNAME: 'root', ADMIN_EMAIL: 'root@example.org', ADMIN_PASSWORD };
  const text = await refusal({ dataDir, environment });
  assert.match(
    text,
    /^Cannot create the admin account root: another account uses the email root@example\.org\./m,
  );
  assert.doesNotMatch(text, /at .*:\d+:\d+/);
  const { out } = await spawnCommand({ DATA_DIR: dataDir }, ['user', 'list']);
  assert.doesNotMatch(out, /admin/);
});

test('an ADMIN_USERNAME that was registered before stays what it is, with a warning', async () => {
  const dataDir = await galleryWith('root', 'mallory@example.org');
  const environment = { ADMIN_USERNAME: 'Root', ADMIN_EMAIL: 'root@example.org', ADMIN_PASSWORD };
  const server = await startServer({ dataDir, environment });
  const login = await fetch(`${server.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ username: 'root', password: ADMIN_PASSWORD }),
  });
  await server.end('SIGTERM');
  assert.equal(login.status, 401);
  const warning = /"level":40.*ADMIN_USERNAME names an existing account that is not an admin/;
  assert.match(server.output(), warning);
});

test('an admin of the settings who is there already is no reason to warn', async () => {
  const dataDir = await newDataDir();
  const environment = { ADMIN_USERNAME: 'root', ADMIN_EMAIL: 'root@example.org', ADMIN_PASSWORD };
  for (let start = 0; start < 2; start++) {
    const server = await startServer({ dataDir, environment });
    await server.end('SIGTERM');
    assert.doesNotMatch(server.output(), /ADMIN_USERNAME names/);
  }
});
