/** The first admin, from the settings; never by being first to register. */
import type { Deps } from '../deps.ts';
import { hashPassword } from './passwords.ts';
import { findUserByLogin, insertUser } from './store.ts';

/** Makes the account that ADMIN_* names, unless it exists: later starts change neither it nor its password. */
export async function ensureAdmin(deps: Deps): Promise<void> {
  const { admin } = deps.config;
  if (!admin || (await findUserByLogin(deps, admin.username))) return;
  const passwordHash = await hashPassword(admin.password);
  try {
    await insertUser(deps, { username: admin.username, email: admin.email, passwordHash, isAdmin: true });
  } catch (error) {
    // Another process that starts at the same moment was first.
    if (await findUserByLogin(deps, admin.username)) return;
    throw error;
  }
  deps.log.info({ username: admin.username }, 'the admin account was made');
}
