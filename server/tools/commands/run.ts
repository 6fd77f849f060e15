/** Opens the gallery for a command, and closes it when the command ends. */
import pino from 'pino';
import { type Config, readConfig } from '../../config.ts';
import { closeDeps, type Deps, openDeps } from '../../deps.ts';
import { findUserByLogin } from '../../gallery/accounts/store.ts';
import { describeDatabase, hasSqlite } from '../../platform/db/database-location.ts';
import { DatabaseUnavailable, DatabaseUnusable } from '../../platform/db/dialect.ts';
import { bulkDatabase } from '../../platform/db/index.ts';
import { UserStatus } from '../../platform/db/states.ts';
import type { UserRow } from '../../platform/db/tables.ts';
import { claimedStorageSetting } from '../../platform/ownership/claim.ts';
import { trimBlanks } from '../../platform/schema/line.ts';
import { openStorage } from '../../platform/storage/open.ts';
import { findSettingByReader, hasMigrations, selectStorageOptions } from '../transfer/gallery-location.ts';
import { CommandError } from './failure.ts';

/**
 * Runs `work` on the configured gallery. Only warnings are logged, to standard error. If `mayBegin` is true, the
 * command may create a new gallery, and then prints its location.
 */
export async function withDeps(
  work: (deps: Deps) => Promise<void>,
  { mayBegin = false } = {},
): Promise<void> {
  const log = pino({ level: 'warn', base: null }, pino.destination({ fd: 2, sync: true }));
  const config = readConfig();
  const isThere = await isGallery(config);
  if (!isThere && !mayBegin) throw noGalleryError(config);
  if (isThere) await openStorage({ ...selectStorageOptions(config), isReadOnly: true });
  // A command needs no rate limits and no statement timeout, and shares its connections with no other worker.
  const databaseLimits = { ...config.databaseLimits, statementTimeoutMs: 0 };
  const own = { databaseLimits, redisUrl: undefined, workers: 1, startTimeoutMs: 0 };
  const deps = await openDeps({ ...config, ...own }, log);
  if (!isThere)
    console.error(
      `Creating a new gallery in ${deps.db.location}, with its photos in ${deps.storage.location}.`,
    );
  try {
    await work(deps);
  } finally {
    await closeDeps(deps);
  }
}

/** Returns true if the database contains a gallery. Creates nothing, not even the folder. */
async function isGallery({ dataDir, databaseUrl: url }: Config): Promise<boolean> {
  if (!url && !hasSqlite(dataDir)) return false;
  const database = await bulkDatabase({ dataDir, url });
  const reader = await database.reader().catch((error: unknown) => {
    throw error instanceof DatabaseUnusable ? error : new DatabaseUnavailable(error);
  });
  const isFilled = async () =>
    (await hasMigrations(reader)) && (await findSettingByReader(reader, claimedStorageSetting)) !== undefined;
  return isFilled().finally(reader.close);
}

function noGalleryError({ dataDir, databaseUrl: url }: Config): CommandError {
  return new CommandError(
    `there is no gallery in ${describeDatabase({ dataDir, url })}; use the same DATA_DIR, ` +
      'DATABASE_URL and STORAGE_URL as the server',
  );
}

/** Returns all users in the order of their creation, except accounts that are being deleted. */
export function findAllUsers({ kysely }: Deps['db']): Promise<UserRow[]> {
  return kysely
    .selectFrom('users')
    .selectAll()
    .where('status', '>=', UserStatus.disabled)
    .orderBy('id')
    .execute();
}

/** Returns a user by username or email, like the sign-in. Throws CommandError for an unknown user. */
export async function getUserByName(deps: Deps, name: string): Promise<UserRow> {
  const user = await findUserByLogin(deps, trimBlanks(name));
  if (!user) throw new CommandError(`the user "${name}" does not exist`);
  return user;
}
