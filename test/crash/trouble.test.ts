/** Storage that is missing, read-only or full, and a database that another process holds. */
import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import sharp from 'sharp';
import { openDatabase } from '../../server/platform/db/index.ts';
import {
  eventually,
  filesIn,
  holdings,
  objectsOfRows,
  objectsOnDisk,
  temporaryFiles,
} from '../support/holdings.ts';
import { assertSound } from '../support/payloads.ts';
import { anonymous, type Person, person, register } from '../support/people.ts';
import { jpeg } from '../support/pictures.ts';
import { type ServerProcess, startServer } from '../support/server-process.ts';

/** A tmpfs needs the right to mount; without it these tests say that they did not run. */
const withoutMount = (() => {
  try {
    execFileSync('mount', ['--version'], { stdio: 'ignore' });
    return process.getuid?.() === 0 ? false : 'needs root, to mount a small file system';
  } catch {
    return 'there is no mount here, to make a small file system';
  }
})();

function mount(...args: string[]): boolean {
  try {
    execFileSync('mount', args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

describe('a database that another process holds', () => {
  let dataDir: string;
  let server: ServerProcess;
  let ann: Person;
  let id: number;
  const holders: ChildProcess[] = [];

  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'lightwell-locked-'));
    server = await startServer({ dataDir });
    ann = await register(server, 'ann');
    id = (await ann.upload(await jpeg())).body.data.id;
  });
  after(async () => {
    for (const holder of holders) holder.kill('SIGKILL');
    await server?.end('SIGKILL');
    await rm(dataDir, { recursive: true, force: true });
  });

  test('for a second: a write waits and succeeds', async () => {
    const letGo = await hold();
    const start = performance.now();
    const like = ann.post(`/api/photos/${id}/like`);
    assert.equal((await anonymous(server).get('/api/photos')).status, 200);
    setTimeout(letGo, 1000);
    const { status, body } = await like;
    assert.deepEqual([status, body.data], [200, { is_liked: true, likes: 1 }]);
    assert.ok(performance.now() - start >= 900);
  });

  test('for longer: 503 with Retry-After, while reads go on', async () => {
    const before = await objectsOnDisk(dataDir);
    const letGo = await hold();
    const writes = [
      ann.post(`/api/photos/${id}/favorite`),
      ann.upload(await jpeg()),
      ann.put(`/api/photos/${id}`, { title: 'late' }),
      ...[1, 2, 3].map((number) => ann.put('/api/auth/profile', { nickname: `late ${number}` })),
    ];
    const asked = performance.now();
    let waiting = writes.length;
    for (const write of writes) write.finally(() => waiting--);
    let reads = 0;
    while (waiting > 0) {
      const start = performance.now();
      assert.equal((await anonymous(server).get('/api/photos')).status, 200);
      assert.ok(performance.now() - start < 4000, 'a read waited');
      reads++;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const ms = performance.now() - asked;
    // One holds the lock for five seconds, and the next one another five.
    assert.ok(ms < 20_000, `they waited one after the other: ${ms} ms`);
    for (const { status, body, headers } of await Promise.all(writes)) {
      assert.deepEqual([status, body.code], [503, 503]);
      assert.ok(Number(headers.get('retry-after')) >= 1);
      assert.doesNotMatch(body.message, /lock|sqlite/i);
    }
    assert.ok(reads > 20, `${reads} reads`);
    letGo();
    assert.equal((await ann.post(`/api/photos/${id}/favorite`)).body.data.favorites, 1);
    assert.deepEqual(await objectsOnDisk(dataDir), before);
    assert.deepEqual(await temporaryFiles(dataDir), []);
  });

  /** In a process of its own, as another program would. Returns what ends it. */
  async function hold(): Promise<() => void> {
    const script = `
      const { DatabaseSync } = require('node:sqlite');
      new DatabaseSync(${JSON.stringify(join(dataDir, 'lightwell.db'))}).exec('BEGIN EXCLUSIVE');
      console.log('held');
      setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    holders.push(child);
    await once(child.stdout, 'data');
    return () => child.kill('SIGKILL');
  }
});

describe('a storage', () => {
  test('that vanished beside its database: the server refuses to start', async (context) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'lightwell-gone-'));
    context.after(() => rm(dataDir, { recursive: true, force: true }));
    const server = await startServer({ dataDir });
    const ann = await register(server, 'ann');
    await ann.upload(await jpeg());
    assert.equal(await server.end('SIGTERM'), 0);
    await rename(join(dataDir, 'files'), join(dataDir, 'elsewhere'));
    await assert.rejects(startServer({ dataDir }), /ended with 1:[\s\S]*marker/);

    // The storage of another gallery in its place is no better.
    const other = await mkdtemp(join(tmpdir(), 'lightwell-other-'));
    context.after(() => rm(other, { recursive: true, force: true }));
    await (await startServer({ dataDir: other })).end('SIGTERM');
    await rename(join(other, 'files'), join(dataDir, 'files'));
    await assert.rejects(startServer({ dataDir }), /ended with 1:[\s\S]*belongs to/);

    await rm(join(dataDir, 'files'), { recursive: true });
    await rename(join(dataDir, 'elsewhere'), join(dataDir, 'files'));
    const again = await startServer({ dataDir });
    const { list } = (await anonymous(again).get('/api/photos')).body.data;
    assert.equal((await anonymous(again).get(list[0].thumb)).status, 200);
    assert.equal(await again.end('SIGTERM'), 0);
  });

  test('that is full refuses uploads, keeps nothing half, and recovers', {
    skip: withoutMount,
  }, async (context) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'lightwell-full-'));
    if (!mount('-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', dataDir)) {
      await rm(dataDir, { recursive: true });
      return context.skip('a file system cannot be mounted here');
    }
    let server: ServerProcess | undefined;
    context.after(async () => {
      await server?.end('SIGKILL');
      // Lazily: where the test failed, the database is still open.
      execFileSync('umount', ['--lazy', dataDir]);
      await rm(dataDir, { recursive: true });
    });
    server = await startServer({ dataDir });
    let ann = await register(server, 'ann');
    const db = await openDatabase({ dataDir, url: undefined, onError: () => {} });
    const place = { db, storage: filesIn(dataDir), config: { dataDir } };
    const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
    const picture = await sharp({
      create: { width: 900, height: 700, channels: 3, background: '#000', noise },
    })
      .jpeg({ quality: 95 })
      .toBuffer();
    const id = (await ann.upload(picture)).body.data.id;

    const filler = join(dataDir, 'filler');
    const statuses: number[] = [];
    for (let round = 0; round < 12; round++) {
      const before = await holdings(place);
      await leaveFree(filler, dataDir, round * 100_000);
      const answer = await ann.upload(picture);
      statuses.push(answer.status);
      if (answer.status !== 200) {
        assert.ok([503, 507].includes(answer.status), `${answer.status} ${answer.bytes}`);
        assert.equal(answer.body.code, answer.status);
        assert.doesNotMatch(answer.bytes.toString(), /ENOSPC|disk is full|SQLITE/);
      }
      assert.equal((await anonymous(server).get(`/api/photos/${id}`)).status, 200, 'reads go on');
      await rm(filler, { force: true });
      const kept = answer.status === 200 ? 1 : 0;
      await eventually(async () => {
        const now = await holdings(place);
        assert.deepEqual([now.photos, now.temporary], [before.photos + kept, 0]);
        assert.deepEqual(await objectsOnDisk(dataDir), await objectsOfRows({ db }));
      });
    }
    context.diagnostic(`answers by free space: ${statuses.join(' ')}`);
    assert.ok(statuses.includes(507), statuses.join());
    mount('-o', 'remount,size=64m', dataDir);
    const recovered = await ann.upload(picture);
    assertSound(recovered, 'an upload after space was made');
    assert.equal(recovered.status, 200);

    await db.close();
    assert.equal(await server.end('SIGTERM'), 0);
    const check = new DatabaseSync(join(dataDir, 'lightwell.db'));
    assert.equal(Object.values(check.prepare('PRAGMA integrity_check').get()!)[0], 'ok');
    check.close();
    assert.ok(mount('-o', 'remount,ro', dataDir));
    await assert.rejects(startServer({ dataDir }), /ended with 1:/, 'a read-only storage');
    assert.ok(mount('-o', 'remount,rw', dataDir));
    server = await startServer({ dataDir });
    ann = person(server, ann.name, ann.token, ann.id);
    assert.equal((await ann.get(`/api/photos/${id}/download`)).bytes.length, picture.length);
  });
});

/** Fills the file system of `dataDir` but for so many bytes. */
async function leaveFree(filler: string, dataDir: string, bytes: number): Promise<void> {
  const [free] = execFileSync('df', ['--output=avail', '-B1', dataDir], { encoding: 'utf8' }).match(/\d+/)!;
  await writeFile(filler, Buffer.alloc(Math.max(0, Number(free) - bytes)));
}
