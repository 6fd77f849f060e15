/** Mail that waits to be sent, and for a day what was. Row type: platform/db/tables-accounts.ts. */
import { runAll, type Up } from './up.ts';

export const up: Up = ({ types: { id } }, kysely) =>
  runAll(kysely, [
    `CREATE TABLE mails (
      id ${id},
      kind text NOT NULL,
      receiver text NOT NULL, receiver_key text NOT NULL, language text NOT NULL,
      user_id bigint REFERENCES users (id) ON DELETE CASCADE,
      invite_id bigint REFERENCES invites (id) ON DELETE CASCADE,
      status text NOT NULL,
      attempts bigint NOT NULL, due_time bigint, give_up_time bigint NOT NULL, last_attempt_time bigint,
      error text NOT NULL,
      create_time bigint NOT NULL)`,
    'CREATE INDEX mails_due ON mails (due_time, id) WHERE due_time IS NOT NULL',
    'CREATE INDEX mails_receiver ON mails (receiver_key, kind, create_time)',
    'CREATE INDEX mails_user ON mails (user_id)',
    'CREATE INDEX mails_invite ON mails (invite_id)',
    'CREATE INDEX mails_age ON mails (create_time)',
  ]);
