/** By how much the heap may grow before V8 collects all of it, as V8 itself tells. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const collector = pathToFileURL('server/platform/process/collector.js').href;
const later = `import { collectLater } from '${collector}'; collectLater();`;
const memory = pathToFileURL('server/platform/process/memory.ts').href;

async function factors(program: string, ...args: string[]): Promise<string[]> {
  const traced = ['--expose-gc', '--trace-gc-verbose', ...args, '--input-type=module', '--eval'];
  const { stdout } = await promisify(execFile)(process.execPath, [...traced, `${program} gc();`], {
    timeout: 30_000,
  });
  return [...stdout.matchAll(/\[HeapController\] factor (\S+) /g)].map(([, factor]) => factor!);
}

test('the heap may double, whatever V8 would choose', async () => {
  const found = await factors(later);
  assert.ok(found.length > 0);
  assert.deepEqual(new Set(found), new Set(['2.0']));
});

test('whoever starts node with another factor has chosen', async () => {
  assert.deepEqual(new Set(await factors(later, '--heap-growing-percent=30')), new Set(['1.3']));
});

test('a server says so when it has given back what its start needed', async () => {
  // As long as it takes, which nothing else would keep the process alive for.
  const program = `import { syncBuiltinESMExports } from 'node:module';
    import v8 from 'node:v8';
    import { releaseStartMemory } from '${memory}';
    const { setFlagsFromString } = v8;
    const { promise, resolve } = Promise.withResolvers();
    v8.setFlagsFromString = (flag) => {
      setFlagsFromString(flag);
      if (flag.startsWith('--heap')) resolve();
    };
    syncBuiltinESMExports();
    const alive = setInterval(() => {}, 1000);
    releaseStartMemory();
    await promise;
    clearInterval(alive);`;
  assert.equal((await factors(program)).at(-1), '2.0');
});
