/**
 * Creates the list of jobs. A job is one test file on one database, in the order in which the runner starts
 * them.
 */
import { globSync, readFileSync } from 'node:fs';
import {
  alsoOnPostgres,
  fastAllTheSame,
  laterOnPostgres,
  longest,
  onlyOnPostgres,
  rest,
  torture,
} from './tiers.ts';

export const databaseSetups = {
  sqlite: { title: 'SQLite and a folder', environment: { TEST_DATABASE: 'sqlite' } },
  postgres: {
    title: 'PostgreSQL and S3',
    environment: { TEST_DATABASE: 'postgres', TEST_STORAGE: 's3' },
  },
};

export type DatabaseSetupName = keyof typeof databaseSetups;

/**
 * The three tiers of tests: `fast` is `npm test`, `rest` is `npm run test:all`, `torture` is a part of `npm
 * run torture`.
 */
export const tierNames = ['fast', 'rest', 'torture'] as const;
export type Tier = (typeof tierNames)[number];

export interface Job {
  file: string;
  home: DatabaseSetupName;
  tier: Tier;
  /** True if the test file needs a process of its own. */
  isAlone: boolean;
}

export interface Selection {
  /** Selects only test files of this tier (tiers.ts). Undefined selects test files of all tiers. */
  tier?: Tier;
  /** Selects only files with one of these texts in their path. Undefined: all files. */
  parts?: string[];
  /** Selects only jobs on this database. */
  database?: string;
}

/** Finds tests that read or change something that all tests of a process share. */
const needsProcess = /process\.(memoryUsage|cpuUsage|umask)|setFlagsFromString/;

export function jobsFor({ tier, parts = [], database }: Selection): Job[] {
  return globSync('test/**/*.test.ts')
    .filter((file) => parts.length === 0 || parts.some((part) => isNamed(file, part)))
    .sort((one, other) => findStartOrder(one) - findStartOrder(other) || one.localeCompare(other))
    .flatMap(makeJobs)
    .filter((job) => tier === undefined || job.tier === tier)
    .filter((job) => database === undefined || job.home === database);
}

/** Returns the parts that occur in no path of a test file. */
export function unknownParts(parts: string[]): string[] {
  const files = globSync('test/**/*.test.ts');
  return parts.filter((part) => !files.some((file) => isNamed(file, part)));
}

function isNamed(file: string, part: string): boolean {
  return file.includes(part.replace(/^\.\//, ''));
}

/**
 * Returns the entries of tiers.ts that match no file. A renamed test file must not change its tier unnoticed.
 */
export function staleEntries(): string[] {
  const files = globSync('test/**/*.test.ts');
  return [rest, torture, fastAllTheSame, alsoOnPostgres, laterOnPostgres, onlyOnPostgres, longest]
    .flat()
    .filter((entry) => !files.some((file) => isListed(file, [entry])));
}

function makeJobs(file: string): Job[] {
  const isAlone = needsProcess.test(readFileSync(file, 'utf8'));
  const tier = findTier(file);
  const jobs: Job[] = [];
  if (!isListed(file, onlyOnPostgres)) jobs.push({ file, home: 'sqlite', tier, isAlone });
  if (isListed(file, laterOnPostgres))
    jobs.push({ file, home: 'postgres', tier: findLaterTier(tier), isAlone });
  else if (isListed(file, [...alsoOnPostgres, ...onlyOnPostgres]))
    jobs.push({ file, home: 'postgres', tier, isAlone });
  return jobs;
}

function findTier(file: string): Tier {
  if (isListed(file, torture)) return 'torture';
  return isListed(file, rest) && !isListed(file, fastAllTheSame) ? 'rest' : 'fast';
}

function findLaterTier(tier: Tier): Tier {
  return tier === 'fast' ? 'rest' : tier;
}

function findStartOrder(file: string): number {
  const found = longest.findIndex((entry) => isListed(file, [entry]));
  return found === -1 ? longest.length : found;
}

/**
 * Tells whether one of the entries names the file. An entry is a folder with `/` at the end, or a file
 * without `.test.ts`.
 */
function isListed(file: string, entries: string[]): boolean {
  return entries.some((entry) =>
    entry.endsWith('/') ? file.startsWith(`test/${entry}`) : file === `test/${entry}.test.ts`,
  );
}
