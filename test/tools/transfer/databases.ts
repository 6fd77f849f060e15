/** Loses, saves and restores the database of a closed gallery, at every kind of gallery location. */
import { randomBytes } from 'node:crypto';
import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import type { GalleryLocation } from '../../../server/tools/transfer/gallery-location.ts';
import { createEnvironment, runCommand, spawnCommand } from '../../support/command.ts';
import { makeTestDatabase } from '../../support/harness.ts';
import { type MakeHome, otherHome, type Scope, sqliteHome } from './gallery-locations.ts';

/**
 * The kind of gallery location that this test run uses. The runs together cover each database and each
 * storage.
 */
export const locationKinds: Record<string, MakeHome> =
  process.env.TEST_DATABASE === 'postgres'
    ? { 'PostgreSQL and S3': otherHome }
    : { 'SQLite and a folder': sqliteHome };

/** Returns a location with the same photos and an empty database. */
export async function loseDatabase(scope: Scope, home: GalleryLocation): Promise<GalleryLocation> {
  if (home.databaseUrl) {
    const database = (await makeTestDatabase())!;
    scope.after(database.drop);
    return { ...home, databaseUrl: database.url };
  }
  for (const end of ['', '-wal', '-shm']) await rm(sqliteFile(home) + end, { force: true });
  return home;
}

/** Copies the current database. Returns a function that returns the same photos with the copied database. */
export async function saveDatabase(
  scope: Scope,
  home: GalleryLocation,
): Promise<() => Promise<GalleryLocation>> {
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

function sqliteFile({ dataDir }: GalleryLocation): string {
  return join(dataDir, 'lightwell.db');
}

interface CommandOptions {
  later?: number;
  input?: string;
}

/**
 * Runs the command with the settings of a gallery location. The option `later` sets the clock ahead, in
 * seconds.
 */
export function command(home: GalleryLocation, args: string[], options: CommandOptions = {}) {
  return runCommand(createEnvironment(home), args, options);
}

/** Runs the command with the settings of a gallery location in a separate process. */
export function commandProcess(home: GalleryLocation, args: string[], options: CommandOptions = {}) {
  return spawnCommand(createEnvironment(home), args, options);
}
