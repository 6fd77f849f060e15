/** Whether an account of `users` that a query joins is enabled. */

import { type SqlBool, sql } from 'kysely';
import { UserStatus } from '../../platform/db/states.ts';

/**
 * A constant, not an argument: `users` has partial indexes by status, and SQLite makes the plan of a statement anew
 * each time an argument is bound that such an index could depend on. That costs more than running it.
 */
export const accountIsEnabled = sql<SqlBool>`users.status = ${sql.lit(UserStatus.enabled)}`;
