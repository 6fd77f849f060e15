/** Finds code that depends on internals of Node, V8 or a library, which the next upgrade may break. */
import { globSync, readFileSync } from 'node:fs';
import { code } from './sources.ts';

/** Methods that Node or other code calls, so that replacing them changes foreign code. */
const methods = '_\\w+|destroy|destroySoon|emit|send|closeIdleConnections|closeAllConnections|createHook';

const patterns: { pattern: RegExp; what: string }[] = [
  { pattern: /\bprototype(?:\.\w+|\[[^\]]+\])\s*=(?!=)/, what: 'replaces a method of a class' },
  {
    pattern: new RegExp(`(?<=[\\w)\\]!])(?<!\\bthis)\\.(?:${methods})\\s*=(?![=>])`),
    what: 'replaces a method of an object',
  },
  { pattern: /(?<!\bthis)[\w)\]]!?\??\._[a-z]\w*\b(?!\s*=(?!=))/, what: 'uses a private member' },
  { pattern: /\bsetFlagsFromString\b|\bexpose[-_]gc\b|\bglobalThis\.gc\b/, what: 'changes V8 at run time' },
  { pattern: /\buvMetricsInfo\b|\bprocess\.binding\b/, what: 'reads the internals of libuv or Node' },
  { pattern: /\bhandleCopy\w+|\b_?sendCopyFromChunk\b/, what: 'speaks the protocol of pg itself' },
  { pattern: /\binternalMessage\b/, what: 'listens to the internal messages of Node' },
  { pattern: /\bnew Function\(|(?<![\w.$])eval\((?!\w+:)|\bnode:vm\b/, what: 'builds code from text' },
  { pattern: /\bprocess\.execve\b/, what: 'replaces its own process' },
  { pattern: /\bsyncBuiltinESMExports\b/, what: 'replaces what a module of Node exports' },
];

/** Files that may use these patterns, each with its reason. */
const allowed: Record<string, string> = {
  'server/platform/imaging/worker/heic.ts': 'functions of C that libheif-js exports begin with an underscore',
  'test/platform/imaging/pool-attacks.test.ts': 'plays a decoder that was taken over',
  'test/platform/zip/zip.test.ts': 'measures what is still held after a garbage collection',
  'test/runner/jobs.ts': 'gives a process of its own to each test that calls it',
  'test/support/busy.js': 'makes the connections of a program report a busy database',
  'test/support/hostile-code.ts': 'plays a decoder that was taken over',
  'test/support/hostile-worker.ts': 'plays a decoder that was taken over',
  'test/web/motion.ts': 'records what the page asks of the browser',
  'test/web/upload-album.test.ts': 'plays a browser that reads a folder',
  'test/web/upload-interrupted.test.ts': 'plays a browser that cannot read a file',
};

/** Files that contain the forbidden patterns as text, because they define or test this check. */
const own = ['scripts/internals.ts', 'test/operations/internals.test.ts'];

/** Returns one line for each use of internals, and one for each exception that is no longer needed. */
export function internalsFaults(): string[] {
  const files = globSync(code).filter((file) => !own.includes(file));
  const found = files.flatMap((file) =>
    internalsIn(readFileSync(file, 'utf8')).map(({ line, what }) => ({ file, line, what })),
  );
  const unused = Object.keys(allowed).filter((file) => !found.some((each) => each.file === file));
  return [
    ...found
      .filter(({ file }) => !(file in allowed))
      .map(({ file, line, what }) => `${file}:${line}: ${what}`),
    ...unused.map((file) => `${file}: needs no exception any more (scripts/internals.ts)`),
  ];
}

const comment = /(?<=^|[\s{(])(?:\/\*[\s\S]*?\*\/|\/\/.*$)/gm;

export function internalsIn(text: string): { line: number; what: string }[] {
  const lines = text.replaceAll(comment, (found) => found.replaceAll(/[^\n]/g, '')).split('\n');
  return lines.flatMap((line, index) => {
    const found = patterns.find(({ pattern }) => pattern.test(line));
    return found ? [{ line: index + 1, what: found.what }] : [];
  });
}
