/** Checks that the paths named in documents and in comments exist. */
import { globSync, readFileSync } from 'node:fs';
import { matchesGlob } from 'node:path';
import { sources } from './sources.ts';

const documents = ['*.md', 'docs/**/*.md', 'bench/README.md', 'torture/README.md'];
const everything = ['*', '{server,bin,web,scripts,torture,bench,test,docs,deploy,licenses}/**/*'];

const folders = /^(?:server|bin|web|scripts|torture|bench|test|docs|deploy|licenses)\//;
/** Documents and comments omit `server/` before these folders. */
const serverFolders = /^(?:platform|gallery|tools)\//;
/** Finds the first word after a backtick, which may be a path. */
const quotedWord = /`([^`\s]+)/g;
/** Finds the path of a source file. Package names may end in `.js`, so that ending is not matched. */
const sourceName = /(?<![\w/.@*…}>-])\w[\w.-]*(?:\/[\w.-]+)*\.(?:tsx?|css)\b(?!\.\w|\/)/g;
/** File names of an invented endpoint in CONTRIBUTING.md, and the folder that the bench creates. */
const examples = ['list-likes.ts', 'likers.test.ts', 'bench/data'];

/** Returns one line for each path that does not exist. */
export function pathFaults(): string[] {
  const files = globSync(everything);
  const read = (file: string) => ({ file, text: readFileSync(file, 'utf8') });
  const texts = [
    ...globSync(documents)
      .map(read)
      .filter(({ file, text }) => !isSuperseded(file, text)),
    ...globSync([sources, '.ci/run'])
      .map(read)
      .map(({ file, text }) => ({ file, text: commentsIn(file, text) })),
  ];
  return texts.flatMap(({ file, text }) =>
    stalePaths(text, files).map(({ line, path }) => `${file}:${line}: ${path} does not exist`),
  );
}

/** Returns whether a decision record is superseded; such a record keeps its old paths. */
export function isSuperseded(file: string, text: string): boolean {
  return file.startsWith('docs/adr/') && /^(?:#+ )?\**status\**:?\**\s*superseded\b/im.test(text);
}

/** Returns a source file's comments, each on its own line. */
export function commentsIn(file: string, text: string): string {
  const comment = /\.\w+$/.test(file) ? /(?<=^|[\s{(])(?:\/\*[\s\S]*?\*\/|\/\/.*$)/gm : /(?<=^|\s)#.*$/gm;
  let end = 0;
  let comments = '';
  for (const { 0: found, index } of text.matchAll(comment)) {
    comments += text.slice(end, index).replaceAll(/[^\n]/g, '') + found;
    end = index + found.length;
  }
  return comments;
}

/**
 * Returns the paths that match none of `files`. A path is the first word in backticks if it begins with a
 * folder of the repository, or the name of a source file anywhere.
 */
export function stalePaths(text: string, files: string[]): { line: number; path: string }[] {
  return text.split('\n').flatMap((line, index) => {
    const quoted = [...line.matchAll(quotedWord)]
      .map(([, path]) => path!.replace(/(?::\d.*|#.*)$/, ''))
      .filter((path) => folders.test(path) || serverFolders.test(path))
      .filter((path) => !files.some((file) => matchesGlob(file, toPattern(path))));
    const named = [...line.matchAll(sourceName)]
      .map(([path]) => path)
      .filter((path) => !files.some((file) => `/${file}`.endsWith(`/${path}`)));
    const stale = new Set([...quoted, ...named]);
    return [...stale].filter((path) => !isExample(path)).map((path) => ({ line: index + 1, path }));
  });
}

function toPattern(path: string): string {
  const pattern = path
    .replace(/\/$/, '')
    .replaceAll(/\/(?:…|\.\.\.)(?=\/)/g, '/**')
    .replaceAll(/…|\.\.\.|<[^>]*>/g, '*');
  return serverFolders.test(path) ? `server/${pattern}` : pattern;
}

function isExample(path: string): boolean {
  return examples.some((example) => path === example || path.startsWith(`${example}/`));
}
