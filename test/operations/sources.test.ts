/** Tests that the check limits the length of source files, including style sheets. */
import assert from 'node:assert/strict';
import { matchesGlob } from 'node:path';
import { test } from 'node:test';
import { sizeFaults, sources } from '../../scripts/sources.ts';

test('a file of more than 300 lines is a fault', () => {
  assert.deepEqual(sizeFaults('web/admin/admin.module.css', '.a {}\n'.repeat(300)), []);
  assert.match(sizeFaults('web/admin/admin.module.css', '.a {}\n'.repeat(301)).join(), /301 lines; split it/);
});

test('the rule looks at code and style sheets of every folder', () => {
  for (const file of [
    'server/platform/http/base.css',
    'server/platform/db/sqlite/worker.js',
    'web/admin/admin.module.css',
    'web/main.tsx',
    'torture/run.ts',
    'bench/web/budgets.ts',
    'scripts/check.ts',
    'test/run.ts',
    'bin/lightwell.js',
  ])
    assert.ok(matchesGlob(file, sources), file);
});
