/** Adds downloads that may be resumed by the view they took, and an index that counts an account's own acts. */
import { runAll, type Up } from './up.ts';

export const up: Up = (_, kysely) =>
  runAll(kysely, [
    `CREATE TABLE share_downloads (
      share_id bigint NOT NULL REFERENCES shares (id) ON DELETE CASCADE,
      client text NOT NULL, until_time bigint NOT NULL,
      taken bigint NOT NULL, resumed bigint NOT NULL,
      PRIMARY KEY (share_id, client))`,
    'CREATE INDEX share_downloads_end ON share_downloads (until_time)',
    'CREATE INDEX audit_log_own ON audit_log (actor_id, action, create_time) WHERE attempt_key IS NULL',
  ]);
