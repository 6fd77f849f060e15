/** Who accounts are at an OpenID provider, and whether their addresses were confirmed. */
import { runAll, type Up } from './up.ts';

export const up: Up = ({ types: { id } }, kysely) =>
  runAll(kysely, [
    'ALTER TABLE users ADD COLUMN email_confirmed integer NOT NULL DEFAULT 0',
    `CREATE TABLE identities (
      id ${id},
      user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      issuer text NOT NULL, subject text NOT NULL,
      create_time bigint NOT NULL, last_used_time bigint NOT NULL)`,
    'CREATE UNIQUE INDEX identities_subject ON identities (issuer, subject)',
    'CREATE INDEX identities_user ON identities (user_id)',
  ]);
