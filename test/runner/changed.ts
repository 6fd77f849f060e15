/** Selects the tests that depend on changed files, by the imports of the code and the mirror of its folders. */
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Job, jobsFor, type Selection } from './jobs.ts';

const code = '{server,web,test,torture,bench,scripts,bin}/**/*.{ts,tsx,js}';
/** Every gallery starts here: a path of imports through these files would select all tests for any change. */
const startFiles = ['app.ts', 'serve.ts', 'start.ts', 'main.js', 'cli.ts'].map((file) => `server/${file}`);
/** A change of one of these selects all of `npm test`. */
const everywhere = ['package.json', 'package-lock.json', 'openapi.json', 'tsconfig.json'];

/** Paths that differ between the commit and the working tree, new files included. */
export function changedFiles(commit: string): string[] {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).split('\n');
  const differing = git('diff', '--name-only', '--no-renames', commit);
  const added = git('ls-files', '--others', '--exclude-standard');
  return [...differing, ...added].filter((file) => file !== '');
}

/**
 * The jobs of a change. Tests that import a changed file, and tests in the folder that mirrors its folder, run in full.
 * Of all that depends on it further on, the tests of `npm test` run.
 */
export function jobsForChanges(changed: string[], selection: Selection): Job[] {
  const importers = readImporters();
  const near = new Set(changed.flatMap((file) => [file, ...(importers.get(file) ?? [])]));
  const far = findDependents(changed, importers);
  const isEverywhere = changed.some((file) => everywhere.includes(file) || file.startsWith('test/runner/'));
  // A change of one page does not run every journey of `npm run test:all`.
  const ownFolders = changed.filter((file) => !file.startsWith('web/')).flatMap(findTestFolders);
  const folders = [...far].flatMap(findTestFolders);
  const names = changed.filter((file) => !/\.(ts|tsx|js)$/.test(file)).map((file) => file.split('/').at(-1)!);

  return jobsFor({ ...selection, tier: undefined }).filter(({ file, tier }) => {
    if (tier === 'torture') return false;
    if (near.has(file) || isIn(file, ownFolders)) return true;
    if (tier === 'rest') return false;
    return isEverywhere || far.has(file) || isIn(file, folders) || namesOne(file, names);
  });
}

/** File → the files that import it. */
function readImporters(): Map<string, string[]> {
  const importers = new Map<string, string[]>();
  for (const file of globSync(code)) {
    const text = readFileSync(file, 'utf8');
    for (const [, path] of text.matchAll(/(?:\bfrom|\bimport|\bnew URL)\s*\(?\s*'(\.[^']+)'/g)) {
      const target = join(file, '..', path!);
      importers.set(target, [...(importers.get(target) ?? []), file]);
    }
  }
  return importers;
}

/** The files themselves and all that import them, directly or through others. */
function findDependents(files: string[], importers: Map<string, string[]>): Set<string> {
  const found = new Set(files);
  for (const file of found) {
    if (startFiles.includes(file)) continue;
    for (const importer of importers.get(file) ?? []) found.add(importer);
  }
  return found;
}

/** The folders of the tests for a file: `server/gallery/photos/list/page.ts` → `test/gallery/photos/`. */
function findTestFolders(file: string): string[] {
  const [wing, ...path] = file.split('/');
  if (wing === 'web') return ['test/web/', 'test/gallery/pages/'];
  if (wing === 'torture' || wing === 'bench' || wing === 'deploy') return ['test/operations/'];
  if (wing !== 'server') return [];
  return path.length > 2 ? [`test/${path.slice(0, 2).join('/')}/`, 'test/contract/'] : ['test/contract/'];
}

function isIn(file: string, folders: string[]): boolean {
  return folders.some((folder) => file.startsWith(folder));
}

/** Whether the test names a changed file that is no code: a page, a setting of the deployment, a style. */
function namesOne(file: string, names: string[]): boolean {
  if (names.length === 0) return false;
  const text = readFileSync(file, 'utf8');
  return names.some((name) => text.includes(name));
}
