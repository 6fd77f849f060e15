/** Attempts in the audit log: counted in one row for an hour, and removed in the end. Acts stay as they are. */
import { runAll, type Up } from './up.ts';

export const up: Up = async (database, kysely) => {
  await runAll(kysely, [
    `ALTER TABLE audit_log ADD COLUMN outcome text NOT NULL DEFAULT 'succeeded'`,
    `ALTER TABLE audit_log ADD COLUMN address text NOT NULL DEFAULT ''`,
    'ALTER TABLE audit_log ADD COLUMN count bigint NOT NULL DEFAULT 1',
    'ALTER TABLE audit_log ADD COLUMN last_time bigint',
    'ALTER TABLE audit_log ADD COLUMN attempt_key text',
    'CREATE UNIQUE INDEX audit_log_attempt ON audit_log (attempt_key)',
    'CREATE INDEX audit_log_by_outcome ON audit_log (outcome, create_time, id)',
    'CREATE INDEX audit_log_attempts ON audit_log (create_time, id) WHERE attempt_key IS NOT NULL',
  ]);
  await database.keepUnchanged(kysely, 'audit_log', 'attempt_key');
};
