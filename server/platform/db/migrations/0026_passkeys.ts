/** Passkeys, and which of their challenges were used. */
import { runAll, type Up } from './up.ts';

export const up: Up = (database, kysely) =>
  runAll(kysely, [
    `CREATE TABLE passkeys (
      id ${database.types.id},
      user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      name text NOT NULL, credential_id text NOT NULL, public_key text NOT NULL,
      counter bigint NOT NULL, rp_id text NOT NULL, is_synced integer NOT NULL,
      create_time bigint NOT NULL, last_used_time bigint)`,
    'CREATE UNIQUE INDEX passkeys_credential_id ON passkeys (credential_id)',
    'CREATE INDEX passkeys_user ON passkeys (user_id, id)',
    'CREATE TABLE used_challenges (challenge text PRIMARY KEY, expire_time bigint NOT NULL)',
    'CREATE INDEX used_challenges_expire_time ON used_challenges (expire_time)',
  ]);
