/** docs/security.md names every line of the chapters that it walks; it and docs/threats.md name only tests that there are. */
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

/** What is held, and no test shows, with the reason. */
const unshown = {
  '6.1.2': 'asks for a text',
  '6.2.10': 'that something is nowhere',
  '6.4.2': 'that something is nowhere',
  '6.5.3': 'no answer tells what made it: read where it is made',
  '6.5.7': 'what never comes here',
  '7.1.1': 'asks for a text',
  '7.1.3': 'asks for a text',
};

test('what is held names a test, or is in the list of what none shows', () => {
  const without = rows.filter((row) => {
    const [, , , state, how = ''] = row.split(' | ');
    assert.match(state!, /^(held|in part|not held|does not apply)$/, row);
    assert.ok(how.includes('`test/') || how.replace(/ \|$/, '').length > 8, row);
    return state === 'held' && !how.includes('`test/');
  });
  assert.deepEqual(
    without.map((row) => row.split(' | ')[0]!.slice(2)),
    Object.keys(unshown),
  );
});

/** One walk through many places, whose title begins with the name of the place. */
const inEachPlace = [
  'a user who tries to act on it is told nothing of it',
  'shows where it must and nowhere else',
];

/** Not in a comment, nor as a part of a longer title. */
function hasTest(source: string, title: string): boolean {
  const quoted = inEachPlace.includes(title)
    ? [`\`\${name}: ${title}\``]
    : [`'${title}'`, `"${title}"`, `\`${title}\``];
  const begun = [...source.matchAll(/^ *test\(\s*/gm)].map(({ 0: text, index }) => index + text.length);
  return begun.some((at) => quoted.some((text) => source.startsWith(`${text},`, at)));
}

for (const [name, least] of Object.entries({ 'docs/security.md': 100, 'docs/threats.md': 80 })) {
  test(`each test that ${name} names is there`, () => {
    const text = readFileSync(resolve(root, name), 'utf8');
    const named = [...text.matchAll(/`(test\/[\w./-]+\.ts)`(?:: “([^”]+)”)?/g)].filter(
      ([, file]) => file !== 'test/operations/security-page.test.ts',
    );
    assert.ok(named.length > least, `${named.length} tests`);
    const missing = named.filter(([, file, title]) => {
      const path = resolve(root, file!);
      if (!existsSync(path)) return true;
      return title !== undefined && !hasTest(readFileSync(path, 'utf8'), title);
    });
    assert.deepEqual(
      missing.map(([text]) => text),
      [],
    );
  });
}

test('every threat names what shows that it is met', () => {
  const text = readFileSync(resolve(root, 'docs/threats.md'), 'utf8');
  const sections = text.split('\n## ').filter((section) => section.includes('| Threat |'));
  assert.ok(sections.length > 5);
  const threats = sections.flatMap((section) =>
    section.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| Threat |')),
  );
  const unshown = threats.filter((line) => !line.split(' | ')[2]?.includes('`test/'));
  assert.deepEqual(unshown, []);
});
