/**
 * `tests`: runs the test files of the tier `torture` (test/runner/tiers.ts), and web tests in every window
 * size and color scheme.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { type Figure, none, type Part } from './part.ts';

const runner = resolve(import.meta.dirname, '../test/run.ts');

export const testsPart: Part = {
  name: 'tests',
  about: 'the tests that kill, flood and mutate, and pages in every window size and colour scheme',
  // The test files take as long as they need, outside the shared time.
  share: 0,
  // One run is enough, because the test runner starts both databases.
  homes: ['sqlite'],
  run: async ({ seed, tell }) => [
    await runTests('tests that failed', ['--tier', 'torture', '--seed', String(seed)], tell),
    await runTests('tests of pages that failed', ['web/', '--seed', String(seed)], tell),
  ],
};

async function runTests(name: string, args: string[], tell: (line: string) => void): Promise<Figure> {
  const child = spawn(process.execPath, [runner, ...args], {
    env: { ...process.env, TEST_LOOKS: 'all' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const failed: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    tell(line);
    if (/^\s*✖ /.test(line)) failed.push(line.trim());
  }
  const [code] = await ended;
  if (code === 0) return none(name, 0);
  return none(name, failed.length > 0 ? failed : [`the runner ended with ${code}`]);
}
