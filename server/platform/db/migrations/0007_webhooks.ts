/** Webhooks, and the outbox that is also their log. Row types: platform/db/tables-webhooks.ts. */
import { runAll, type Up } from './up.ts';

export const up: Up = ({ types: { id } }, kysely) =>
  runAll(kysely, [
    `CREATE TABLE webhooks (
      id ${id},
      user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      url text NOT NULL, secret text NOT NULL, events text NOT NULL, description text NOT NULL,
      is_active integer NOT NULL, disabled_reason text NOT NULL,
      failures bigint NOT NULL, failing_since bigint, resume_time bigint NOT NULL,
      create_time bigint NOT NULL)`,
    'CREATE INDEX webhooks_user ON webhooks (user_id, id)',
    `CREATE TABLE webhook_deliveries (
      id ${id},
      webhook_id bigint NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
      user_id bigint NOT NULL,
      event_id text NOT NULL, type text NOT NULL, payload text NOT NULL,
      status text NOT NULL,
      attempts bigint NOT NULL, due_time bigint, give_up_time bigint NOT NULL, last_attempt_time bigint,
      response_status bigint, duration_ms bigint, error text NOT NULL,
      create_time bigint NOT NULL)`,
    `CREATE INDEX webhook_deliveries_due ON webhook_deliveries (due_time, id, webhook_id, user_id)
      WHERE due_time IS NOT NULL`,
    `CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (webhook_id, due_time)
      WHERE due_time IS NOT NULL`,
    'CREATE INDEX webhook_deliveries_log ON webhook_deliveries (webhook_id, id)',
    'CREATE INDEX webhook_deliveries_age ON webhook_deliveries (create_time)',
  ]);
