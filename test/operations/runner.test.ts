/** Tests the test runner: its tiers, and its selection of files for a change. No selected file is run. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isCommit, jobsForChanges } from '../runner/changed.ts';
import { type Job, jobsFor, staleEntries, unknownParts } from '../runner/jobs.ts';

const jobNames = (jobs: Job[]) => jobs.map(({ file, home }) => `${file} ${home}`);
const filesFor = (...changed: string[]) => jobsForChanges(changed, {}).map(({ file }) => file);

test('each job is in one tier', () => {
  const tiers = (['fast', 'rest', 'torture'] as const).map((tier) => jobNames(jobsFor({ tier })));
  const all = tiers.flat();
  assert.equal(new Set(all).size, all.length);
  assert.deepEqual(all.sort(), jobNames(jobsFor({})).sort());
  assert.deepEqual(staleEntries(), []);
});

test('a named file runs in whatever tier it is', () => {
  const jobs = jobsFor({ parts: ['platform/zip/zip64'] });
  assert.deepEqual(
    jobs.map(({ file, home, tier }) => [file, home, tier]),
    [['test/platform/zip/zip64.test.ts', 'sqlite', 'rest']],
  );
});

test('a name that no test file has in its path is found among others', () => {
  assert.deepEqual(unknownParts(['./test/platform/zip', 'likes', 'no-such-name']), ['no-such-name']);
});

test('a commit is one that git knows', () => {
  assert.ok(isCommit('HEAD'));
  assert.ok(!isCommit('no-such-commit'));
});

test('a changed test file runs alone', () => {
  assert.deepEqual(
    new Set(filesFor('test/gallery/photos/tags.test.ts')),
    new Set(['test/gallery/photos/tags.test.ts']),
  );
});

test('a changed server file selects the tests of its folder, of what imports it, and the contract', () => {
  const files = filesFor('server/platform/zip/zip.ts');
  for (const file of ['platform/zip/zip', 'platform/zip/zip64', 'gallery/albums/archive', 'contract/privacy'])
    assert.ok(files.includes(`test/${file}.test.ts`), file);
  for (const file of ['gallery/comments/comments', 'platform/cluster/workers', 'web/wall'])
    assert.ok(!files.includes(`test/${file}.test.ts`), file);
});

test('a changed page of the docs selects the tests that read it, a style the journeys', () => {
  for (const page of ['docs/settings.md', 'docs/backup.md', 'docs/adr/0049-tests-in-tiers.md'])
    assert.ok(filesFor(page).includes('test/operations/readme.test.ts'), page);
  assert.ok(filesFor('README.md').includes('test/operations/tour.test.ts'));
  assert.ok(filesFor('.ci/run').length < 10);
  const journeys = filesFor('web/styles/base.css');
  assert.ok(journeys.includes('test/web/wall.test.ts'));
  assert.ok(!journeys.includes('test/contract/rights.test.ts'));
});

test('a changed page of the web selects the journey with the name of its folder', () => {
  const files = filesFor('web/comments/thread.tsx');
  assert.ok(files.includes('test/web/comments.test.ts'));
  assert.ok(!files.includes('test/web/albums.test.ts'));
});

test('a changed package selects all of npm test, and nothing of it is torture', () => {
  const files = filesFor('package-lock.json');
  assert.deepEqual(
    [...new Set(files)].sort(),
    [...new Set(jobsFor({ tier: 'fast' }).map(({ file }) => file))].sort(),
  );
  assert.ok(!filesFor('test/support/harness.ts').some((file) => file.startsWith('test/torture/')));
});
