/** Who may join, and one-time links. Row types: platform/db/tables-accounts.ts. */
import { runAll, type Up } from './up.ts';

export const up: Up = ({ types: { id } }, kysely) =>
  runAll(kysely, [
    `CREATE TABLE invites (
      id ${id},
      email text NOT NULL, email_key text NOT NULL,
      max_uses bigint NOT NULL, uses bigint NOT NULL,
      user_id bigint REFERENCES users (id) ON DELETE SET NULL,
      create_time bigint NOT NULL, expire_time bigint NOT NULL)`,
    'CREATE INDEX invites_expiry ON invites (expire_time)',
    'CREATE INDEX invites_user ON invites (user_id)',
    `CREATE TABLE links (
      token_hash text PRIMARY KEY,
      kind text NOT NULL,
      user_id bigint REFERENCES users (id) ON DELETE CASCADE,
      invite_id bigint REFERENCES invites (id) ON DELETE CASCADE,
      email text NOT NULL,
      create_time bigint NOT NULL, expire_time bigint NOT NULL)`,
    'CREATE INDEX links_user ON links (user_id)',
    'CREATE INDEX links_invite ON links (invite_id)',
    'CREATE INDEX links_expiry ON links (expire_time)',
  ]);
