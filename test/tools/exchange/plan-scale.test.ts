/** Tests the plan of an import with many files. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planImport } from '../../../server/tools/exchange/plan/plan.ts';

test('a plan of 200,000 empty files needs little time and memory', async () => {
  const files = Array.from({ length: 200_000 }, (_, n) => ({
    path: `Takeout/Google Photos/Photos from ${2000 + (n % 20)}/${'a long name of a file '.repeat(2)}${n}.jpg`,
    bytes: 0,
    modified: 0,
    source: 0,
  }));
  const before = process.memoryUsage().heapUsed;
  const plan = await planImport(files, async () => new Uint8Array());
  assert.equal(plan.photos.length, 200_000);
  assert.ok(process.memoryUsage().heapUsed - before < 400 * 1024 * 1024);
});
