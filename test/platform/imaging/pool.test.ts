/**
 * Tests actions that picture workers cannot take, whatever program runs in their place
 * (test/support/hostile-worker.ts).
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, suite, test } from 'node:test';
import {
  copyInputIntoFolder,
  createWorkerFolder,
  readOutputFile,
} from '../../../server/platform/imaging/pool/folder.ts';
import {
  launchWorker,
  nobodyUserId,
  type SandboxFeatures,
  yieldSandboxesByStrength,
} from '../../../server/platform/imaging/pool/launch.ts';
import {
  createWorkerPool,
  type ReadJobResult,
  type WorkerPoolOptions,
} from '../../../server/platform/imaging/pool/pool.ts';
import type { WorkerJob } from '../../../server/platform/imaging/pool/worker.ts';
import type { WorkerEnded, WorkerEndReason } from '../../../server/platform/imaging/pool/worker-ended.ts';
import { temporaryName } from '../../../server/platform/storage/temporary.ts';

const MB = 1_000_000;
const program = join(import.meta.dirname, '../../support/hostile-worker.ts');
const folder = mkdtempSync(join(tmpdir(), 'pool-'));

function startPool(options: Partial<WorkerPoolOptions> = {}) {
  const pool = createWorkerPool({
    folder,
    newName: temporaryName,
    maxIdle: 1,
    ordinaryBytes: 100 * MB,
    program,
    ...options,
  });
  after(() => pool.close());
  return pool;
}

after(() => rmSync(folder, { recursive: true, force: true }));

const pool = startPool({ maxFolderBytes: 200 * MB });

/** Sends a job with these lines as input to the hostile worker, and returns its response. */
function ask<Result = Record<string, unknown>>(
  lines: string[],
  { take, ...asked }: Partial<WorkerJob> & { take?: ReadJobResult<Result> } = {},
): Promise<Result> {
  return pool.run(
    {
      job: { kind: 'trial' },
      input: Buffer.from(lines.join('\n')),
      memoryBytes: 100 * MB,
      cpuSeconds: 20,
      seconds: 60,
      ...asked,
    },
    take ?? (async ({ answer }) => answer as Result),
  );
}

const endsBy = (why: WorkerEndReason) => (error: WorkerEnded) => {
  assert.equal(error.why, why, error.message);
  return true;
};

suite('a worker', () => {
  test('answers, stays warm, and is asked again', async () => {
    assert.deepEqual(await ask(['answer']), 'done');
    const [before] = readdirSync(folder);
    assert.deepEqual(readdirSync(join(folder, before!)), []);
    assert.deepEqual(await ask(['answer']), 'done');
    assert.deepEqual(readdirSync(folder), [before]);
  });

  test('is killed at its deadline: its own fault where it worked, the machine’s where it did not', async () => {
    await assert.rejects(ask(['loop'], { cpuSeconds: 0.5 }), endsBy('time'));
    await assert.rejects(ask(['sleep'], { seconds: 1 }), endsBy('busy'));
  });

  test('is killed when it takes more memory than its job may', async () => {
    await assert.rejects(ask(['memory']), endsBy('memory'));
  });

  test('is killed when it says too much, twice, or unasked, and nobody else hears it', async () => {
    const before = process.memoryUsage().rss;
    await assert.rejects(ask(['chatter']), endsBy('crash'));
    assert.ok(process.memoryUsage().rss - before < 50 * MB);
    await assert.rejects(ask(['twice']), endsBy('crash'));
    assert.deepEqual(await ask(['later']), 'done');
    // The server kills a worker that answers twice, and a new worker does the next job.
    assert.deepEqual(await ask(['slow']), 'done');
  });

  test('ends nothing else when it crashes', async () => {
    const others = ask(['answer'], {});
    await assert.rejects(ask(['abort']), endsBy('crash'));
    assert.deepEqual(await others, 'done');
  });

  test('is killed when it fills the disk, and all of it is deleted', async () => {
    await assert.rejects(ask(['disk'], { memoryBytes: 101 * MB }), endsBy('room'));
    assert.ok(readdirSync(folder).length <= 1);
  });

  test('is killed when its client has gone', async () => {
    const client = new AbortController();
    setTimeout(() => client.abort(), 200);
    await assert.rejects(ask(['sleep'], { signal: client.signal }), endsBy('gone'));
  });

  test('is not believed when it leaves a link, a folder or nothing instead of a picture', async () => {
    const take = async (_: unknown, own: string) => readOutputFile(own, 'thumb', MB);
    for (const lines of [['link', '/etc/passwd'], ['link', 'input'], ['hardLink'], ['folder'], ['answer']])
      await assert.rejects(ask(lines, { take }), endsBy('crash'), lines.join(' '));
  });

  test('ends together with a program that it starts', {
    skip: !hasProcesses() && 'no namespaces here',
  }, async () => {
    // The server may notice the started program and end the worker before the worker answers.
    await ask(['fork']).catch(endsBy('crash'));
    const end = performance.now() + 5000;
    while (sleepers() > 0 && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 20));
    assert.equal(sleepers(), 0);
    assert.deepEqual(await ask(['answer']), 'done');
  });
});

test('native code in a worker’s place reaches nothing', async (t) => {
  const walls = await pool.testSandbox();
  const secret = join(folder, '..', `pool-secret-${process.pid}`);
  writeFileSync(secret, 'secret', { mode: 0o600 });
  const listener = createServer((_, response) => response.end()).listen(0, '127.0.0.1');
  t.after(() => {
    rmSync(secret, { force: true });
    listener.close();
  });
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  const script = [
    `printf '{"id":"JOB_ID","answer":{"user":%s,' "$(id -u)"`,
    `can() { if "$@" >/dev/null 2>&1; then printf true; else printf false; fi; }`,
    `printf '"reads":%s,' "$(can cat ${secret})"`,
    `printf '"readsServer":%s,' "$(can cat /proc/${process.pid}/environ)"`,
    `printf '"kills":%s,' "$(can kill -0 ${process.pid})"`,
    `printf '"writes":%s,' "$(can touch ${secret})"`,
    `printf '"connects":%s,' "$(can bash -c 'echo > /dev/tcp/127.0.0.1/${port}')"`,
    `printf '"rights":%s,' "$(grep -c 'NoNewPrivs:.0' /proc/self/status)"`,
    `printf '"files":"%s",' "$(ls /proc/self/fd | tr '\\n' ' ')"`,
    `printf '"names":"%s"}}\\n' "$(env | cut -d= -f1 | sort | tr '\\n' ' ')"`,
  ].join('; ');
  const seen = await readAnswer(walls, ['native', script]);
  const isRoot = process.getuid?.() === 0;
  const names = String(seen.names).replace('NODE_COMPILE_CACHE ', '');
  assert.equal(names, 'MALLOC_ARENA_MAX PATH PROGRAM_FOLDER PWD UV_THREADPOOL_SIZE ');
  if (isRoot)
    assert.deepEqual([seen.user, seen.reads, seen.writes, seen.readsServer], [65_534, false, false, false]);
  if (walls.alone) assert.deepEqual([seen.kills, seen.connects], [false, false]);
  if (walls.noNewRights) assert.equal(seen.rights, 0);
  // A worker sees its channel, the descriptor that `ls` opens, and descriptors inherited from the starter of
  // this process.
  assert.equal(seen.files, execFileSync('/bin/sh', ['-c', "ls /proc/self/fd | tr '\\n' ' '"]).toString());
});

test('walls that a system does not have are left out, one after the other', async () => {
  const [best] = yieldSandboxesByStrength();
  const broken = { ...best!, limits: true };
  const bare = { alone: false, noNewRights: false, limits: false, otherUser: false };
  const path = process.env.PATH;
  process.env.PATH = '/nowhere';
  try {
    const weak = startPool({ walls: [broken, bare] });
    assert.deepEqual(await weak.testSandbox(), bare);
    assert.equal(weak.size, 1);
    await weak.close();
  } finally {
    process.env.PATH = path;
  }
});

test('a pool that was closed starts no program for a picture that waited', async () => {
  const own = join(folder, 'closed');
  const closing = startPool({ folder: own });
  await closing.testSandbox();
  await closing.close();
  const names: string[] = [];
  const watcher = watch(own, (_event, name) => names.push(name ?? ''));
  const asked = { job: { kind: 'trial' }, input: Buffer.from('answer'), memoryBytes: MB } as const;
  const refused = closing.run({ ...asked, cpuSeconds: 1, seconds: 1 }, async () => {});
  await assert.rejects(refused, ({ why }: WorkerEnded) => why === 'closed');
  watcher.close();
  assert.deepEqual(names, [], 'no folder of a worker was made');
});

test('a server on an overloaded machine starts its first worker once more', async () => {
  const started = join(mkdtempSync(join(tmpdir(), 'slow-start-')), 'started');
  const slow = join(dirname(started), 'slow.ts');
  const hostile = JSON.stringify(program);
  // The program hangs at its first start, and starts normally afterwards.
  const lines = [
    `import { existsSync, writeFileSync } from 'node:fs';`,
    `const isSecond = existsSync(${JSON.stringify(started)});`,
    `if (!isSecond) writeFileSync(${JSON.stringify(started)}, '');`,
    `if (isSecond) await import(${hostile});`,
    `else setInterval(() => {}, 1000);`,
  ];
  writeFileSync(slow, lines.join('\n'));
  after(() => rmSync(dirname(started), { recursive: true, force: true }));
  const patient = startPool({ program: slow, startMs: 1500 });
  const [best] = yieldSandboxesByStrength();
  assert.deepEqual(Object.keys(await patient.testSandbox()), Object.keys(best!));
  assert.ok(existsSync(started));
  assert.equal(patient.size, 1);

  const never = startPool({ program: join(dirname(started), 'never.ts'), startMs: 300 });
  writeFileSync(join(dirname(started), 'never.ts'), 'setInterval(() => {}, 1000);');
  await assert.rejects(never.testSandbox(), endsBy('busy'));
});

test('idle workers end, and their folders with them', async () => {
  const quick = startPool({ idleMs: 100 });
  await quick.testSandbox();
  assert.equal(quick.size, 1);
  await new Promise((resolve) => setTimeout(resolve, 600));
  assert.equal(quick.size, 0);
});

/** Starts a worker without supervision, and returns its response. */
async function readAnswer(walls: SandboxFeatures, lines: string[]): Promise<Record<string, unknown>> {
  const own = join(folder, 'unwatched');
  const owner = walls.otherUser ? nobodyUserId : undefined;
  createWorkerFolder(own, owner);
  await copyInputIntoFolder(own, Buffer.from(lines.join('\n')), owner);
  const child = launchWorker({ walls, folder: own, memoryBytes: 100 * MB, heic: false, program });
  let output = '';
  child.stdout!.on('data', (text) => {
    output += text;
  });
  child.stdin!.write('{"id":"native"}\n');
  await once(child, 'close');
  return JSON.parse(output.trim().split('\n').at(-1)!).answer;
}

function hasProcesses(): boolean {
  return existsSync('/proc/self/ns/pid');
}

/** Returns the number of processes on this machine that the line `fork` started. */
function sleepers(): number {
  return readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, 'utf8') === 'sleep\x001000\0';
    } catch {
      return false;
    }
  }).length;
}
