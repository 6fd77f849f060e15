/**
 * Tests attacks by a compromised worker on later jobs, and on the server process that supervises the worker.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs, { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { readOutputFile, removeWorkerFolder } from '../../../server/platform/imaging/pool/folder.ts';
import { workerPriority, yieldSandboxesByStrength } from '../../../server/platform/imaging/pool/launch.ts';
import { createWorkerPool, type ReadJobResult } from '../../../server/platform/imaging/pool/pool.ts';
import type { WorkerJob } from '../../../server/platform/imaging/pool/worker.ts';
import type { WorkerEnded, WorkerEndReason } from '../../../server/platform/imaging/pool/worker-ended.ts';
import { clearTemporaryFiles, temporaryName } from '../../../server/platform/storage/temporary.ts';

const MB = 1_000_000;
const program = join(import.meta.dirname, '../../support/hostile-code.ts');
const folder = mkdtempSync(join(tmpdir(), 'pool-'));
const onLinux = { skip: process.platform !== 'linux' && 'the system does not tell what a process does' };

const pool = createWorkerPool({
  folder,
  newName: temporaryName,
  maxIdle: 1,
  ordinaryBytes: 100 * MB,
  program,
  maxFolderBytes: 200 * MB,
});

after(async () => {
  await pool.close();
  assert.deepEqual(readdirSync(folder), []);
  rmSync(folder, { recursive: true, force: true });
});

/** Runs `code` in a worker, or in the worker that was used last. */
function ask<Result = unknown>(
  code: string,
  { take, ...asked }: Partial<WorkerJob> & { take?: ReadJobResult<Result> } = {},
): Promise<Result> {
  const input = Buffer.from(`CODE:${code}`);
  const bounds = { memoryBytes: 100 * MB, cpuSeconds: 20, seconds: 60 };
  const job = { kind: 'trial' } as const;
  return pool.run({ job, input, ...bounds, ...asked }, take ?? (async ({ answer }) => answer as Result));
}

const endsBy = (why: WorkerEndReason) => (error: WorkerEnded) => {
  assert.equal(error.why, why, error.message);
  return true;
};

/** Waits until no worker is left. */
const untilEnded = () => until(() => pool.size === 0);

async function until(isSo: () => boolean): Promise<void> {
  const end = performance.now() + 20_000;
  while (!isSo() && performance.now() < end) await pause(20);
  assert.ok(isSo());
}

function commandLines(): string[] {
  return readdirSync('/proc').map((name) => {
    try {
      return readFileSync(`/proc/${name}/cmdline`, 'utf8');
    } catch {
      return '';
    }
  });
}

/**
 * Creates nested folders with a path longer than the system allows, and closes the permissions of the first
 * folder.
 */
function nest({ chmodSync, mkdirSync, renameSync }: typeof fs, place: string): void {
  const name = 'a'.repeat(200);
  mkdirSync(`${place}/${name}`);
  for (let depth = 0; depth < 60; depth++) {
    mkdirSync(`${place}/next`);
    renameSync(`${place}/${name}`, `${place}/next/${name}`);
    renameSync(`${place}/next`, `${place}/${name}`);
  }
  chmodSync(`${place}/${name}`, 0);
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

suite('the next input of a worker', () => {
  const lays: Record<string, string> = {
    'a link to a file of the server': `fs.symlinkSync('../../pool-victim-${process.pid}', 'input')`,
    'a pipe that nobody writes to': `process.execve('/bin/sh', ['sh', '-c', 'mkfifo input; exec sleep 0.4'])`,
    'a folder with something in it': `fs.mkdirSync('input'); fs.writeFileSync('input/x', '')`,
  };
  for (const [what, code] of Object.entries(lays)) {
    test(`does not go through ${what}`, async (t) => {
      const victim = join(folder, `../pool-victim-${process.pid}`);
      writeFileSync(victim, 'mine');
      t.after(() => rmSync(victim));
      await ask(`answer(); setTimeout(() => { fs.rmSync('input', { force: true }); ${code} }, 50)`);
      await pause(150);
      assert.equal(await ask('answer()'), 'done');
      assert.equal(readFileSync(victim, 'utf8'), 'mine');
      assert.equal(statSync(victim).uid, process.getuid?.());
    });
  }
});

suite('a worker that has answered', onLinux, () => {
  const goesOn: Record<string, string> = {
    'goes on working': 'for (;;);',
    'starts another program': `spawn('sleep', ['1000'], { detached: true, stdio: 'ignore' })`,
    'makes folders': `fs.mkdirSync('more')`,
    'writes more files than a job does': `for (let i = 0; i < 20; i++) fs.writeFileSync('more' + i, '')`,
    'needs more memory': `globalThis.more = Buffer.alloc(150e6, 1); setInterval(() => {}, 1000)`,
  };
  for (const [what, code] of Object.entries(goesOn)) {
    test(`is killed when it ${what}`, async () => {
      await ask(`answer(); setTimeout(() => { ${code} }, 50)`);
      await untilEnded();
    });
  }
});

suite('a job is killed when it', onLinux, () => {
  const start = (script: string) =>
    `spawn('/bin/sh', ['-c', ${JSON.stringify(script)}], { stdio: 'ignore' })`;
  const tries: [string, string, WorkerEndReason][] = [
    ['starts other programs', `for (let i = 0; i < 20; i++) ${start('sleep 1000')}`, 'crash'],
    ['hides files in folders', `fs.mkdirSync('a')`, 'room'],
    ['makes files without end', `let n = 0; setInterval(() => fs.writeFileSync('e' + n++, ''), 0)`, 'room'],
    ['complains without end', `setInterval(() => process.stderr.write('x'.repeat(60000)), 0)`, 'crash'],
  ];
  for (const [what, code, why] of tries) {
    test(what, async () => {
      await assert.rejects(ask(code), endsBy(why));
    });
  }

  test('writes into files without a name', {
    skip: process.getuid?.() !== 0 && 'root alone sees it',
  }, async () => {
    const code = `const fd = fs.openSync('u', 'w'); fs.unlinkSync('u');
      const bytes = Buffer.alloc(4e6); setInterval(() => fs.writeSync(fd, bytes, 0, 4e6, 0), 2)`;
    await assert.rejects(ask(code), endsBy('room'));
  });
});

suite('the files of a worker', () => {
  test('are read up to their size, and no further', async () => {
    const take: ReadJobResult<number> = async (_, own) =>
      (await readOutputFile(own, 'thumb', 50 * MB)).length;
    const grow = `fs.writeFileSync('thumb', ''); fs.truncateSync('thumb', 90e6); answer()`;
    await assert.rejects(ask(grow, { take }), endsBy('crash'));
  });

  test('are deleted with it, however nested and closed they are', async () => {
    await ask(`(${nest})(fs, '.'); answer()`).catch(endsBy('room'));
    await untilEnded();
    assert.deepEqual(readdirSync(folder), []);
  });

  test('do not hinder the next worker when they cannot be deleted', async () => {
    await ask(`fs.mkdirSync('a'); fs.writeFileSync('a/b', ''); answer()`);
    assert.equal(await ask('answer()'), 'done');
  });
});

test('blames the machine, and no picture, for a worker that does not start', async () => {
  await pool.testSandbox();
  await ask('answer()').catch(() => {});
  const path = process.env.PATH;
  process.env.PATH = '/nowhere';
  try {
    const heavy = { memoryBytes: 101 * MB };
    const [best] = yieldSandboxesByStrength();
    if (best!.noNewRights) await assert.rejects(ask('answer()', heavy), endsBy('busy'));
  } finally {
    process.env.PATH = path;
  }
});

test('a killed server does not keep the next one from starting', async (t) => {
  const left = mkdtempSync(join(tmpdir(), 'left-'));
  t.after(() => rmSync(left, { recursive: true, force: true }));
  const [host] = temporaryName().split('-');
  const own = join(left, `${host}-999999999-00000000-00`);
  fs.mkdirSync(own);
  nest(fs, own);
  assert.equal(await clearTemporaryFiles(left, removeWorkerFolder), 1);
  assert.deepEqual(readdirSync(left), []);
});

test('a worker is in a session of its own, without the terminal of the server', onLinux, async () => {
  const readSession = (stat: string) => stat.slice(stat.lastIndexOf(')') + 2).split(' ')[3];
  const theirs = await ask<string>(`answer(fs.readFileSync('/proc/self/stat', 'utf8'))`);
  assert.notEqual(readSession(theirs), readSession(readFileSync('/proc/self/stat', 'utf8')));
});

test('a worker has a lower priority than the server', onLinux, async () => {
  const readNice = (stat: string) => Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);
  const theirs = await ask<string>(`answer(fs.readFileSync('/proc/self/stat', 'utf8'))`);
  assert.equal(readNice(theirs), readNice(readFileSync('/proc/self/stat', 'utf8')) + workerPriority);
});

test('a worker that notices nothing is gone when the server is killed', onLinux, async () => {
  const walls = await pool.testSandbox();
  if (!walls.alone || !walls.noNewRights) return;
  const seconds = `1000.${process.pid}`;
  const server = `
    import { createWorkerPool } from ${JSON.stringify(join(import.meta.dirname, '../../../server/platform/imaging/pool/pool.ts'))};
    const options = { folder: ${JSON.stringify(join(folder, 'killed'))}, newName: () => 'one', keep: 1, ordinaryBytes: 1e8 };
    const pool = createWorkerPool({ ...options, program: ${JSON.stringify(program)} });
    const input = Buffer.from("CODE:process.execve('/bin/sleep', ['sleep', '${seconds}'])");
    pool.run({ job: { kind: 'trial' }, input, memoryBytes: 1e8, cpuSeconds: 20, seconds: 60 });
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', server], { stdio: 'inherit' });
  const isThere = () => commandLines().includes(`sleep\0${seconds}\0`);
  await until(isThere);
  child.kill('SIGKILL');
  await until(() => !isThere());
  rmSync(join(folder, 'killed'), { recursive: true });
});

test('a job is not to blame for a worker that was taken over before', async () => {
  const ruin = (why: string) =>
    `answer(); fs.rmSync('input', { force: true }); setTimeout(() => { ${why} }, 1)`;
  await ask(ruin('process.abort()'));
  assert.equal(await ask('answer()'), 'done');
  await ask('answer()');
  const fault = (isCertain: boolean) => (error: WorkerEnded) => error.isCertain === isCertain;
  await assert.rejects(ask('for (;;);', { cpuSeconds: 0.3 }), fault(false));
  await assert.rejects(ask('for (;;);', { cpuSeconds: 0.3 }), fault(true));
});
