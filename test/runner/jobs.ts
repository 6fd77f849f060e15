/** Which files run, and on which database and storage. */
import { globSync, readFileSync } from 'node:fs';

export const homes = {
  sqlite: { title: 'SQLite and a folder', environment: { TEST_DATABASE: 'sqlite' } },
  postgres: {
    title: 'PostgreSQL and S3',
    environment: { TEST_DATABASE: 'postgres', TEST_STORAGE: 's3' },
  },
};

export type HomeName = keyof typeof homes;

export interface Job {
  file: string;
  home: HomeName;
  /** Whether it has a process for itself. */
  isAlone: boolean;
}

/** What runs on both databases. */
const onBoth = [
  'test/contract/',
  'test/gallery/',
  'test/tools/',
  'test/platform/db/lease',
  'test/platform/db/upgrade',
  'test/platform/operations/',
  'test/platform/storage/storage',
  'test/torture/',
];
/** Of these folders, what no database matters to, or what opens the databases that it needs. */
const onOne = [
  'test/contract/document',
  'test/gallery/accounts/cookies-browser',
  'test/gallery/accounts/login-throttle',
  'test/gallery/accounts/password-costs',
  'test/gallery/delivery/',
  'test/gallery/pages/',
  'test/gallery/library/kernel',
  'test/gallery/shares/address',
  'test/gallery/shares/page',
  'test/gallery/webhooks/target',
  'test/tools/upkeep/sweep',
  'test/torture/api',
  'test/torture/clients',
  'test/torture/dependencies',
  'test/torture/disk',
  'test/torture/frame',
  'test/torture/images',
  'test/torture/look',
  'test/torture/model-reach',
  'test/torture/pixels',
  'test/torture/power',
  'test/torture/sides',
  'test/torture/soak',
  'test/torture/stops',
];
/** Of those, what waits for locks. */
const onBothAllTheSame = ['test/gallery/delivery/size-claims'];
const onPostgres = ['test/platform/cluster/', 'test/platform/db/fair-reads'];

/** First what takes longest: whatever is left at the end is short. */
const longest = [
  'torture/disk',
  'torture/power',
  'torture/images',
  'torture/clients',
  'torture/dependencies',
  'wrong-database',
  'transfer/killed',
  'generated',
  'crash/',
  'cluster/',
  'contract/privacy',
  'corpus',
  's3-faults',
  'slow-readers',
  'webhooks/processes',
  'uploads/broken',
  'test/web/',
  'brake',
  'tools/',
  'trouble',
  'operations/',
  'torture/model.',
  'torture/clock',
  'torture/kills',
  'platform/',
  'contract/',
];

/** These read or change what a whole process shares. */
const needsProcess = /process\.(memoryUsage|cpuUsage|umask)|setFlagsFromString/;

export function jobsFor(parts: string[], database: string | undefined): Job[] {
  const wanted = parts.map((part) => part.replace(/^\.\//, ''));
  return globSync('test/**/*.test.ts')
    .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)))
    .sort((one, other) => rank(one) - rank(other) || one.localeCompare(other))
    .flatMap((file) => {
      const isAlone = needsProcess.test(readFileSync(file, 'utf8'));
      return homesOf(file, database).map((home) => ({ file, home, isAlone }));
    });
}

function homesOf(file: string, database: string | undefined): HomeName[] {
  const isIn = (folders: string[]) => folders.some((folder) => file.startsWith(folder));
  const names = Object.keys(homes) as HomeName[];
  if ((isIn(onBoth) && !isIn(onOne)) || isIn(onBothAllTheSame))
    return names.filter((name) => database === undefined || database === name);
  if (!isIn(onPostgres)) return ['sqlite'];
  return database === 'sqlite' ? [] : ['postgres'];
}

function rank(file: string): number {
  const found = longest.findIndex((part) => file.includes(part));
  return found === -1 ? longest.length : found;
}
