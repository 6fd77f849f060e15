/** docs/security.md names every line of the chapters that it walks, and only tests that there are. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';

const root = resolve(import.meta.dirname, '../..');
const page = readFileSync(resolve(root, 'docs/security.md'), 'utf8');
const rows = page.split('\n').filter((line) => /^\| \d+\.\d+\.\d+ \|/.test(line));

/** Lines of each section of ASVS 5.0.0. */
const sections = {
  ...{ '6.1': 3, '6.2': 12, '6.3': 8, '6.4': 6, '6.5': 8, '6.6': 4, '6.7': 2, '6.8': 4 },
  ...{ '7.1': 3, '7.2': 4, '7.3': 2, '7.4': 5, '7.5': 3, '7.6': 2, '9.1': 3, '9.2': 4 },
};

test('the walk through ASVS leaves out no line', () => {
  const expected = Object.entries(sections).flatMap(([section, n]) =>
    Array.from({ length: n }, (_, index) => `${section}.${index + 1}`),
  );
  const numbers = rows.map((row) => row.split(' | ')[0]!.slice(2));
  assert.deepEqual([...numbers].sort(), expected.sort());
});

test('each test that it names is there, and what is held names one or says why not', () => {
  const named = [...page.matchAll(/`(test\/[\w/-]+\.test\.ts)`: “([^”]+)”/g)];
  assert.ok(named.length > 60, `${named.length} tests`);
  const missing = named.filter(([, file, name]) => {
    const path = resolve(root, file!);
    return !existsSync(path) || !readFileSync(path, 'utf8').includes(name!);
  });
  assert.deepEqual(
    missing.map(([text]) => text),
    [],
  );
  for (const row of rows) {
    const [, , , state, how = ''] = row.split(' | ');
    assert.match(state!, /^(held|in part|not held|does not apply)$/, row);
    assert.ok(how.includes('`test/') || how.replace(/ \|$/, '').length > 8, row);
  }
});
