/** Reads and locks the account behind a viewer. */
import type { Deps } from '../../deps.ts';
import { UserStatus } from '../../platform/db/states.ts';
import type { Transaction, UserRow } from '../../platform/db/tables.ts';
import { errors } from '../../platform/errors/catalogue.ts';

/** Returns the account. `db` may be a transaction. Throws badToken if the account was deleted meanwhile. */
export function getUser({ db }: { db: Pick<Deps['db'], 'kysely'> }, id: number): Promise<UserRow> {
  const account = db.kysely.selectFrom('users').selectAll().where('id', '=', id);
  return account.executeTakeFirstOrThrow(() => errors.badToken());
}

/** Locks the account until the transaction ends. Returns undefined if the account is not enabled. */
export function lockEnabledUser(
  transaction: Transaction,
  userId: number,
): Promise<Pick<UserRow, 'password_hash'> | undefined> {
  return transaction
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', userId)
    .where('status', '=', UserStatus.enabled)
    .forNoKeyUpdate()
    .executeTakeFirst();
}
