/** API keys: named tokens for programs, with scopes and an expiry. */
import { runAll, type Up } from './up.ts';

export const up: Up = (database, kysely) =>
  runAll(kysely, [
    `CREATE TABLE api_keys (
      id ${database.types.id},
      user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      name text NOT NULL,
      token_hash text NOT NULL,
      can_write integer NOT NULL,
      create_time bigint NOT NULL,
      last_used_time bigint, expire_time bigint)`,
    'CREATE UNIQUE INDEX api_keys_token_hash ON api_keys (token_hash)',
    'CREATE INDEX api_keys_user ON api_keys (user_id, id)',
  ]);
