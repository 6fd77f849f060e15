/** Databases that are lost, saved and brought back: of a gallery that is closed, on whatever home it lives. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { copyFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import pg from 'pg';
import type { Home } from '../../server/tools/transfer/homes.ts';
import { otherHome, type Scope, sqliteHome } from '../tools/transfer/homes.ts';
import { makeDatabase } from './harness.ts';
import { s3Environment } from './s3.ts';

/** Every kind of home that this run of the tests can make. */
export const homeKinds: Record<string, (scope: Scope) => Promise<Home>> =
  process.env.TEST_DATABASE === 'postgres'
    ? {
        'PostgreSQL and a folder': async (scope) => ({ ...(await otherHome(scope)), ...noBucket }),
        'PostgreSQL and S3': otherHome,
      }
    : { 'SQLite and a folder': sqliteHome };

const noBucket = { storageUrl: undefined, storageKeys: undefined };

/** The same photos, and a database that knows nothing of them. */
export async function loseDatabase(scope: Scope, home: Home): Promise<Home> {
  if (home.databaseUrl) {
    const database = (await makeDatabase())!;
    scope.after(database.drop);
    return { ...home, databaseUrl: database.url };
  }
  for (const end of ['', '-wal', '-shm']) await rm(sqliteFile(home) + end, { force: true });
  return home;
}

/** A copy of the database as it is now. What it returns gives the same photos with the copy as their database. */
export async function saveDatabase(scope: Scope, home: Home): Promise<() => Promise<Home>> {
  if (!home.databaseUrl) {
    const copy = `${sqliteFile(home)}.saved-${randomBytes(4).toString('hex')}`;
    await copyFile(sqliteFile(home), copy);
    return async () => {
      await loseDatabase(scope, home);
      await copyFile(copy, sqliteFile(home));
      return home;
    };
  }
  const name = `test_${randomBytes(6).toString('hex')}`;
  const url = new URL(home.databaseUrl);
  await asAdmin(`CREATE DATABASE ${name} TEMPLATE ${url.pathname.slice(1)}`);
  scope.after(() => asAdmin(`DROP DATABASE ${name} WITH (FORCE)`));
  url.pathname = `/${name}`;
  return async () => ({ ...home, databaseUrl: url.href });
}

async function asAdmin(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: process.env.TEST_POSTGRES_URL });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}

function sqliteFile({ dataDir }: Home): string {
  return join(dataDir, 'lightwell.db');
}

const cli = resolve(import.meta.dirname, '../../server/cli.ts');

export interface Said {
  code: number;
  out: string;
  err: string;
}

/** The command with the settings of a home; `later`: seconds that its clock is ahead. */
export async function command(
  { dataDir, databaseUrl, storageUrl }: Home,
  args: string[],
  { later = 0, input = '' } = {},
): Promise<Said> {
  const env = {
    PATH: process.env.PATH,
    DATA_DIR: dataDir,
    NODE_OPTIONS: `--import=${resolve(import.meta.dirname, 'later.js')}`,
    LATER: String(later),
    ...(databaseUrl && { DATABASE_URL: databaseUrl }),
    ...(storageUrl && s3Environment(storageUrl)),
  };
  const { promise, resolve: end } = Promise.withResolvers<Said>();
  const child = execFile(process.execPath, [cli, ...args], { env }, (error, out, err) =>
    end({ code: error ? Number(error.code) : 0, out, err }),
  );
  child.stdin!.end(input);
  return promise;
}
