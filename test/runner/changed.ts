/** Selects the tests that depend on changed files, by the imports of the code and the mirror of its folders. */
import { execFileSync, spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { type Job, jobsFor, type Selection } from './jobs.ts';

const codeFiles = '{server,web,test,torture,bench,scripts,bin}/**/*.{ts,tsx,js}';
/**
 * The search for dependents stops at these start files. Every gallery imports the start files, so any change
 * would select all tests.
 */
const startFiles = ['app.ts', 'serve.ts', 'start.ts', 'main.js', 'cli.ts'].map((file) => `server/${file}`);
/** A change in one of these files selects all of `npm test`. */
const everywhere = ['package.json', 'package-lock.json', 'openapi.json', 'tsconfig.json'];

export function isCommit(name: string): boolean {
  const { status } = spawnSync('git', ['rev-parse', '--verify', '--quiet', `${name}^{commit}`]);
  return status === 0;
}

/** Returns the paths that differ between the commit and the working tree, including new files. */
export function changedFiles(commit: string): string[] {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).split('\n');
  const differing = git('diff', '--name-only', '--no-renames', commit);
  const added = git('ls-files', '--others', '--exclude-standard');
  return [...differing, ...added].filter((file) => file !== '');
}

/**
 * Returns the jobs for a change. Tests that import or read a changed file run in full, and so do tests in the
 * folder that mirrors its folder. Tests that depend on a changed file through other files run only if they
 * belong to `npm test`.
 */
export function jobsForChanges(changed: string[], selection: Selection): Job[] {
  const code = readCode();
  const importers = findImporters(code);
  const readers = findReaders(changed, code);
  const near = new Set([...changed.flatMap((file) => [file, ...(importers.get(file) ?? [])]), ...readers]);
  const far = findDependents([...changed, ...readers], importers);
  const isEverywhere = changed.some((file) => everywhere.includes(file) || file.startsWith('test/runner/'));
  const ownFolders = changed.flatMap(findOwnFolders);
  const folders = [...far].flatMap(findTestFolders);

  return jobsFor({ ...selection, tier: undefined }).filter(({ file, tier }) => {
    if (tier === 'torture') return false;
    if (near.has(file) || isIn(file, ownFolders)) return true;
    if (tier === 'rest') return false;
    return isEverywhere || far.has(file) || isIn(file, folders);
  });
}

/** Returns the text of each code file by path. */
function readCode(): Map<string, string> {
  return new Map(globSync(codeFiles).map((file) => [file, readFileSync(file, 'utf8')]));
}

/** Returns, for each file, the files that import it. */
function findImporters(code: Map<string, string>): Map<string, string[]> {
  const importers = new Map<string, string[]>();
  for (const [file, text] of code) {
    for (const [, path] of text.matchAll(/(?:\bfrom|\bimport|\bnew URL)\s*\(?\s*'(\.[^']+)'/g)) {
      const target = join(file, '..', path!);
      importers.set(target, [...(importers.get(target) ?? []), file]);
    }
  }
  return importers;
}

/**
 * Returns the tests and scripts that read changed files without code, such as a page, a deployment setting or
 * a picture. A test reads a file if the test contains the file's name, or a pattern that matches the path.
 */
function findReaders(changed: string[], code: Map<string, string>): string[] {
  const read = changed.filter((file) => !/\.(ts|tsx|js)$/.test(file));
  if (read.length === 0) return [];
  const names = read.map((file) => file.split('/').at(-1)!);
  // A name without an extension could be any word, so it must match as a whole word.
  const isWord = (name: string) => !/\w\.\w/.test(name);
  const readers = [...code].filter(([file, text]) => {
    if (!/^(?:test|scripts)\//.test(file)) return false;
    const patterns = [...text.matchAll(/'([\w*./{},-]*\*[\w*./{},-]*)'/g)].map(([, pattern]) => pattern!);
    return read.some((path, index) => {
      const name = isWord(names[index]!) ? path : names[index]!;
      return text.includes(name) || patterns.some((pattern) => isPatternFor(pattern, path));
    });
  });
  return readers.map(([file]) => file);
}

/**
 * Tells whether a pattern for files matches the path. Patterns without a folder or an extension are search
 * words and match nothing.
 */
function isPatternFor(pattern: string, path: string): boolean {
  return /\w\/|\.\w/.test(pattern) && matchesGlob(path, pattern);
}

/** Returns the files and all files that import them, directly or indirectly. */
function findDependents(files: string[], importers: Map<string, string[]>): Set<string> {
  const found = new Set(files);
  for (const file of found) {
    if (startFiles.includes(file)) continue;
    for (const importer of importers.get(file) ?? []) found.add(importer);
  }
  return found;
}

/** Returns the path prefixes of the tests that belong to one file. */
function findOwnFolders(file: string): string[] {
  const [wing, noun, name] = file.split('/');
  if (wing !== 'web') return findTestFolders(file);
  // A change in one page does not run every browser test: `test/web/albums.test.ts` belongs to `web/albums/`.
  return name === undefined ? [] : [`test/web/${noun}.`];
}

/** Returns the test folders for a file: `server/gallery/photos/list/query.ts` → `test/gallery/photos/`. */
function findTestFolders(file: string): string[] {
  // A documentation page does not change running code, so it selects no tests.
  if (file.endsWith('.md')) return [];
  const [wing, ...path] = file.split('/');
  if (wing === 'web') return ['test/web/', 'test/gallery/pages/'];
  if (wing === 'torture' || wing === 'bench' || wing === 'deploy') return ['test/operations/'];
  if (wing !== 'server') return [];
  return path.length > 2 ? [`test/${path.slice(0, 2).join('/')}/`, 'test/contract/'] : ['test/contract/'];
}

function isIn(file: string, beginnings: string[]): boolean {
  return beginnings.some((beginning) => file.startsWith(beginning));
}
