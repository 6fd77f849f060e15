/** Documents and comments name only files that exist, and the check finds missing files. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commentsIn, isSuperseded, pathFaults, stalePaths } from '../../scripts/paths.ts';

const files = [
  'server',
  'server/gallery',
  'server/gallery/library',
  'server/gallery/library/counts.ts',
  'docs/app.md',
];
const stale = (text: string) => stalePaths(text, files).map(({ path }) => path);

test('all paths in documents and comments exist', () => {
  assert.deepEqual(pathFaults(), []);
});

test('finds a path in backticks that does not exist', () => {
  const missing = [
    'server/gallery/library/ahead.ts',
    'gallery/library/ahead.ts',
    'library/ahead.ts',
    'ahead.ts',
    'server/gallery/marks/',
    'web/ui',
    'docs/missing.md',
    'server/gallery/marks/*.ts',
  ];
  for (const path of missing) assert.deepEqual(stale(`It counts (\`${path}\`).`), [path]);
  assert.deepEqual(stalePaths('One line.\n`web/ui` and `docs/app.md`', files), [{ line: 2, path: 'web/ui' }]);
});

test('finds a stale name of a source file that stands without backticks', () => {
  assert.deepEqual(stale('Counts as gallery/library/ahead.ts does.'), ['gallery/library/ahead.ts']);
  assert.deepEqual(stale('See ahead.ts.'), ['ahead.ts']);
});

test('accepts paths that exist, patterns, lines and placeholders', () => {
  const existing = [
    'server/gallery/library/counts.ts',
    'gallery/library/counts.ts',
    'library/counts.ts',
    'counts.ts',
    'gallery/library/',
    'server/gallery/library/counts.ts:12',
    'docs/app.md#a-heading',
    'server/gallery/*/{counts,tags}.ts',
    'server/…/counts.ts',
    'server/gallery/<noun>/counts.ts',
  ];
  for (const path of existing) assert.deepEqual(stale(`It counts (\`${path}\`).`), [], path);
  assert.deepEqual(stale('`npm run check`, `/api/photos`, `image/png` and `Math.max`'), []);
});

test('reads the comments of sources alone', () => {
  const text = [
    "const a = 'server/no.ts'; // see `server/app.ts`",
    '/**',
    ' * `server/cli.ts`',
    ' */',
    'f(`server/none.ts`);',
  ].join('\n');
  assert.deepEqual(stalePaths(commentsIn('web/a.tsx', text), files), [
    { line: 1, path: 'server/app.ts' },
    { line: 3, path: 'server/cli.ts' },
  ]);
  assert.deepEqual(stalePaths(commentsIn('.ci/run', 'run # see `server/app.ts`'), files), [
    { line: 1, path: 'server/app.ts' },
  ]);
});

test('leaves out decision records that another one superseded', () => {
  for (const status of [
    'Status: superseded by 28',
    '**Status:** Superseded by ADR 28',
    '## Status\nSuperseded by 28',
  ])
    assert.ok(isSuperseded('docs/adr/0012-rows.md', `# 12. Rows\n\n${status}\n`), status);
  assert.ok(!isSuperseded('docs/adr/0012-rows.md', '# 12. Rows\n\nStatus: accepted\n'));
  assert.ok(!isSuperseded('docs/app.md', 'Status: superseded by 28'));
});
