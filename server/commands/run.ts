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
  // Limits are the server's.
  const deps = await openDeps({ ...readConfig(), redisUrl: undefined }, log);
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
