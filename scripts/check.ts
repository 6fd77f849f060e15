/** `npm run check`: all checks that need no running gallery. Every step runs, even after a failure. */
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { readImports } from './imports.ts';
import { internalsFaults } from './internals.ts';
import { emptyLayers, layerFaults } from './layers.ts';
import { longLines, pages } from './pages.ts';
import { pathFaults } from './paths.ts';
import { securityPageFaults } from './security-pages.ts';
import { sizeFaults, sources } from './sources.ts';
import { stateFaults } from './state.ts';
import { findLongTitles } from './titles.ts';
import { webFaults } from './web.ts';
import { findUnclearSentences, findVagueNames } from './words.ts';

process.chdir(resolve(import.meta.dirname, '..'));

/** Returns a description of the faults, or '' without any. */
type Step = () => string;

const steps: Record<string, Step> = {
  'format and lint': () =>
    run('node_modules/@biomejs/biome/bin/biome', 'ci', '--colors=off', '--diagnostic-level=warn', '.'),
  types: () => run('node_modules/typescript/bin/tsc', '--noEmit'),
  'types of the web': () => run('node_modules/typescript/bin/tsc', '--noEmit', '--project', 'web'),
  'the web keeps its order': () => webFaults().join('\n'),
  'openapi.json is fresh': () => run('scripts/openapi.ts', '--check'),
  'THIRD_PARTY_NOTICES.md is fresh': () => run('scripts/notices.ts', '--check'),
  'imports go one way': importFaults,
  'no state in modules': () => stateFaults().join('\n'),
  'no internals of Node or libraries': () => internalsFaults().join('\n'),
  'files are small': () => files.flatMap((file) => sizeFaults(file, readFileSync(file, 'utf8'))).join('\n'),
  'lines of pages are short': () =>
    pages.flatMap((page) => longLines(page).map((line) => `${page}: ${line}`)).join('\n'),
  'sentences are plain': () => findUnclearSentences().join('\n'),
  'names are plain': () => findVagueNames().join('\n'),
  'titles of commits are short': () => findLongTitles().join('\n'),
  'paths in documents and comments exist': () => pathFaults().join('\n'),
  'tests that pages name are there': () => securityPageFaults().join('\n'),
  'nothing left behind': leftovers,
  'no decision on raw targets': rawTargets,
};

const files = globSync(sources).sort();
const texts = globSync(['*.{md,json}', 'docs/**/*.md', '.ci/*']).filter(
  (file) => file !== 'package-lock.json',
);

let failed = 0;
for (const [name, step] of Object.entries(steps)) {
  const started = performance.now();
  const found = step().trim();
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${found ? 'FAILED' : 'ok    '}  ${name} (${seconds} s)`);
  if (!found) continue;
  failed++;
  console.log(`\n${found}\n`);
}
if (failed > 0) console.log(`${failed} of ${Object.keys(steps).length} checks failed`);
process.exitCode = failed > 0 ? 1 : 0;

function run(script: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' });
  return status === 0 ? '' : `${stdout}${stderr}` || `${script} ended with ${status}`;
}

function importFaults(): string {
  const imports = readImports();
  return [...layerFaults(imports), ...emptyLayers(imports)].join('\n');
}

function leftovers(): string {
  /** Forgotten debugging code, and paths of one machine. The brackets keep this list from finding itself. */
  const words: [RegExp, string][] = [
    [/\b(?:FIX[M]E|XX[X]|HAC[K])\b/, 'is a note to oneself'],
    [/\bdebugge[r];/, 'stops a debugger'],
    [/\b(?:test|it|describe|suite)\.onl[y]\(/, 'runs one test only'],
    [/(?:^|[\s'"`(=])\/(?:home|Users|root|work)\/\w/, 'is a path of one machine'],
  ];
  const named = files.filter((file) =>
    /^(?:utils?|helpers?|services?|managers?|base|common|misc)\.ts$/.test(basename(file)),
  );
  return [
    ...named.map((file) => `${file}: name it for what it does`),
    ...[...files, ...texts].flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .flatMap((line, index) =>
          words
            .filter(([pattern]) => pattern.test(line))
            .map(([, what]) => `${file}:${index + 1}: "${line.trim().slice(0, 80)}" ${what}`),
        ),
    ),
  ].join('\n');
}

/** Finds code that reads raw request data, which clients control, outside the files that may. */
function rawTargets(): string {
  const rules: { pattern: RegExp; may: string[]; what: string }[] = [
    {
      pattern:
        /\b(?:request|req|raw)\.(?:url|originalUrl)\b|\burl\b[^=]*\} = request\b|\{ url\b[^)]*\}: FastifyRequest\b/,
      may: [
        'platform/http/not-found.ts',
        'platform/http/local-path.ts',
        'platform/http/answer-cache.ts',
        'platform/operations/request-log.ts',
        // This script runs in browsers.
        'gallery/pages/service-worker.js',
      ],
      what: 'looks at the request target; where it leads, only the router knows: declare it with the route',
    },
    {
      pattern: /\brequest\.ip\b/,
      may: ['platform/connections/address.ts'],
      what: 'may be any text behind a trusted proxy; use clientAddress(request)',
    },
  ];
  return files
    .filter((file) => file.startsWith('server/'))
    .flatMap((file) => {
      const text = readFileSync(file, 'utf8');
      return rules
        .filter(({ pattern, may }) => pattern.test(text) && !may.some((name) => file === `server/${name}`))
        .map(({ what }) => `${file}: ${what}`);
    })
    .join('\n');
}
