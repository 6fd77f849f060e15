/** Opens what a command works with, and closes it however the command ends. */
import pino from 'pino';
import { findUserByLogin } from '../auth/store.ts';
import { readConfig } from '../config.ts';
import type { UserRow } from '../db/tables.ts';
import { closeDeps, type Deps, openDeps } from '../deps.ts';
import { CommandError } from './failure.ts';

/** Runs `work` on the database that the settings name. Only warnings are logged, to standard error. */
export async function withDeps(work: (deps: Deps) => Promise<void>): Promise<void> {
  const log = pino({ level: 'warn', base: null }, pino.destination({ fd: 2, sync: true }));
  const config = readConfig();
  // Nobody is limited here, nothing is divided among workers, and a statement may take its time.
  const databaseLimits = { ...config.databaseLimits, statementTimeoutMs: 0 };
  const deps = await openDeps({ ...config, databaseLimits, redisUrl: undefined, workers: 1 }, log);
  try {
    await work(deps);
  } finally {
    await closeDeps(deps);
  }
}

/** By username or email, as at login. */
export async function getUserByName(deps: Deps, name: string): Promise<UserRow> {
  const user = await findUserByLogin(deps, name);
  if (!user) throw new CommandError(`there is no user "${name}"`);
  return user;
}
