/** Tests a SQLite database that another process locks: writes wait and then get a 503, reads still work. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { listObjectsOnDisk, listTemporaryFiles } from '../../support/gallery-counts.ts';
import { asVisitor, type Person, register } from '../../support/people.ts';
import { createJpeg } from '../../support/pictures.ts';
import { type ServerProcess, startServer } from '../../support/server-process.ts';

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
    id = (await ann.upload(await createJpeg())).body.data.id;
  });
  after(async () => {
    for (const holder of holders) holder.kill('SIGKILL');
    await server?.end('SIGKILL');
    await rm(dataDir, { recursive: true, force: true });
  });

  test('delays a write that then succeeds when it is held for a second', async () => {
    const letGo = await hold();
    const start = performance.now();
    const like = ann.post(`/api/photos/${id}/like`);
    assert.equal((await asVisitor(server).get('/api/photos')).status, 200);
    setTimeout(letGo, 1000);
    const { status, body } = await like;
    assert.deepEqual([status, body.data], [200, { is_liked: true, likes: 1 }]);
    assert.ok(performance.now() - start >= 900);
  });

  test('answers writes with 503 and Retry-After when it is held longer, while reads go on', async () => {
    const before = await listObjectsOnDisk(dataDir);
    const letGo = await hold();
    const writes = [
      ann.post(`/api/photos/${id}/favorite`),
      ann.upload(await createJpeg()),
      ann.put(`/api/photos/${id}`, { title: 'late' }),
      ...[1, 2, 3].map((number) => ann.put('/api/auth/profile', { nickname: `late ${number}` })),
    ];
    const asked = performance.now();
    let waiting = writes.length;
    for (const write of writes) write.finally(() => waiting--);
    let reads = 0;
    while (waiting > 0) {
      const start = performance.now();
      assert.equal((await asVisitor(server).get('/api/photos')).status, 200);
      assert.ok(performance.now() - start < 4000, 'a read waited');
      reads++;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const ms = performance.now() - asked;
    // The first write waits five seconds for the lock, and the next write at most another five.
    assert.ok(ms < 20_000, `they waited one after the other: ${ms} ms`);
    for (const { status, body, headers } of await Promise.all(writes)) {
      assert.deepEqual([status, body.code], [503, 503]);
      assert.ok(Number(headers.get('retry-after')) >= 1);
      assert.doesNotMatch(body.message, /lock|sqlite/i);
    }
    assert.ok(reads > 20, `${reads} reads`);
    letGo();
    assert.equal((await ann.post(`/api/photos/${id}/favorite`)).body.data.favorites, 1);
    assert.deepEqual(await listObjectsOnDisk(dataDir), before);
    assert.deepEqual(await listTemporaryFiles(dataDir), []);
  });

  /**
   * Locks the database in a separate process, as another program would. Returns a function that ends the
   * process.
   */
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
