/**
 * Starts a separate gallery for each test file: the real application with a real database, storage and sharp,
 * used over HTTP. `TEST_DATABASE=postgres` runs the same tests on PostgreSQL, `TEST_STORAGE=s3` on S3.
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { createApp } from '../../server/app.ts';
import { type Config, type PasswordCosts, readConfig } from '../../server/config.ts';
import { closeDeps, type Deps, openDeps } from '../../server/deps.ts';
import { startBackgroundJobs } from '../../server/jobs.ts';
import type { SharedLimits } from '../../server/platform/http/shared-limits.ts';
import { createImaging } from '../../server/platform/imaging/imaging.ts';
import type { ImagingQueue } from '../../server/platform/imaging/queue/queue.ts';
import { makeBucket, s3Environment } from './s3.ts';
import { getSharedPool } from './shared-pool.ts';
import { copySqliteTemplate, postgresTemplate, runAsAdmin } from './templates.ts';

export interface Gallery {
  deps: Deps;
  server: Server;
  /** URL of the gallery, `http://127.0.0.1:port`. */
  url: string;
  /** The state that all routes of this gallery share. */
  shared: SharedLimits;
  /** Moves the gallery's clock forward. */
  travel(seconds: number): void;
  /** Returns the log lines at level warn and above. */
  complaints(): string[];
  close(): Promise<void>;
}

/** Cheap settings for password hashes, because a hash at full cost takes longer than most tests. */
export const cheapCosts: PasswordCosts = { memory: 8, passes: 1, parallelism: 1 };

/** Longer time limits than usual, because a busy test machine makes correct code slow. */
const generousTimeouts = {
  DATABASE_CONNECT_TIMEOUT: '60',
  DATABASE_STATEMENT_TIMEOUT: '120',
  DATABASE_LOCK_TIMEOUT: '60',
};

interface ExtraOptions {
  shared: Partial<SharedLimits>;
  pagesFolder: string;
  imagingQueue: ImagingQueue;
  /**
   * If true, the gallery has its own picture workers. Other galleries share workers, because starting a
   * worker takes a quarter of a second.
   */
  ownWorkers: boolean;
  /** If true, the gallery starts no visibility jobs, and the test runs them. */
  isIdle: boolean;
}

/** Starts a gallery. The rate limit is off unless a test turns it on. */
export async function startGallery(
  overrides: Partial<Config> = {},
  others: Partial<Deps & ExtraOptions> = {},
): Promise<Gallery> {
  const dataDir = await mkdtemp(join(tmpdir(), 'lightwell-test-'));
  const isElsewhere = 'dataDir' in overrides || 'databaseUrl' in overrides;
  const database = isElsewhere ? undefined : await makeTestDatabase({ isMigrated: true });
  if (!isElsewhere && !database) await copySqliteTemplate(dataDir);
  const place = 'storageUrl' in overrides ? {} : await makeStorageSettings();
  const config: Config = {
    ...readConfig({
      DATA_DIR: dataDir,
      RATE_LIMIT: '0',
      UPLOAD_RATE_LIMIT: '0',
      HOST: '127.0.0.1',
      ...generousTimeouts,
      ...place,
    }),
    databaseUrl: database && preferUnixSocket(database.url),
    passwordCosts: cheapCosts,
    ...overrides,
  };
  let ahead = 0;
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => lines.push(line) });
  const opened = await openDeps(config, log, () => Math.floor(Date.now() / 1000) + ahead);
  const { shared = {}, pagesFolder, imagingQueue, ownWorkers, isIdle, ...otherDeps } = others;
  const { queue } = opened.imaging;
  const imaging = ownWorkers
    ? opened.imaging
    : createImaging({
        queue: imagingQueue ?? queue,
        pool: getSharedPool(),
        onEnded: ({ message }) =>
          log.warn({ cause: message }, 'a picture worker exited before its job was done'),
      });
  const deps = { ...opened, imaging, ...otherDeps };
  const app = await createApp(deps, { shared, ...(pagesFolder && { pagesFolder }) }).catch(async (error) => {
    // Closes the database, because its threads would keep the test file from ending.
    await closeDeps(deps);
    throw error;
  });
  const url = await app.listen({ port: 0, host: '127.0.0.1', listenTextResolver: () => '' });
  const stopJobs = startBackgroundJobs(deps, isIdle ? ['erasure'] : ['visibility', 'erasure']);

  return {
    deps,
    server: app.server,
    shared: app.shared,
    url,
    travel: (seconds) => {
      ahead += seconds;
    },
    complaints: () => lines,
    async close() {
      await stopJobs(app.close());
      await closeDeps(deps);
      await database?.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Returns a database URL with a Unix socket, which is faster. Servers in separate processes use TCP. */
function preferUnixSocket(url: string): string {
  const folder = process.env.TEST_POSTGRES_SOCKET;
  return folder ? `${url}?host=${encodeURIComponent(folder)}` : url;
}

/** Returns the settings for a new bucket, or none if files are stored in DATA_DIR. */
export async function makeStorageSettings(): Promise<Record<string, string>> {
  return process.env.TEST_STORAGE === 's3' ? s3Environment(await makeBucket()) : {};
}

/**
 * Creates a PostgreSQL database, with or without empty tables. Returns undefined if the tests run on SQLite.
 */
export async function makeTestDatabase({ isMigrated = false } = {}) {
  if (process.env.TEST_DATABASE !== 'postgres') return undefined;
  const server = process.env.TEST_POSTGRES_URL;
  if (!server) throw new Error('TEST_POSTGRES_URL is not set: start the tests with `npm test`');
  const name = `test_${randomBytes(6).toString('hex')}`;
  await runAsAdmin(server, `CREATE DATABASE ${name}${isMigrated ? ` TEMPLATE ${postgresTemplate}` : ''}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => runAsAdmin(server, `DROP DATABASE ${name} WITH (FORCE)`) };
}
