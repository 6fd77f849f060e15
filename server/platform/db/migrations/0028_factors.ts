/** Second factors and their recovery codes. Row types: platform/db/tables-accounts.ts. */
import { runAll, type Up } from './up.ts';

export const up: Up = (_, kysely) =>
  runAll(kysely, [
    `CREATE TABLE factors (
      user_id bigint PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
      secret text NOT NULL, is_on integer NOT NULL, last_step bigint NOT NULL, create_time bigint NOT NULL)`,
    `CREATE TABLE recovery_codes (
      code_hash text PRIMARY KEY,
      user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE)`,
    'CREATE INDEX recovery_codes_user ON recovery_codes (user_id)',
  ]);
