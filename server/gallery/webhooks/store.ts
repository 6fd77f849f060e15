/** Webhooks of a user. No other user can see or change them, not even an admin. */
import { randomBytes } from 'node:crypto';
import type { Deps } from '../../deps.ts';
import { countRows } from '../../platform/db/rows.ts';
import type { WebhookRow } from '../../platform/db/tables-webhooks.ts';
import { errors, invalidFieldsError } from '../../platform/errors/catalogue.ts';
import { healthyWebhookColumns } from './record.ts';
import type { NewWebhook, WebhookUpdate } from './schema.ts';
import { checkWebhookTarget } from './target.ts';

const maxWebhooks = 10;

/** Generates a secret of 32 bytes. Standard Webhooks requires 24 to 64 bytes. */
const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;

/** Returns the webhooks of a user in the order of their creation. A user has at most ten webhooks. */
export function listWebhooks({ db }: Deps, userId: number): Promise<WebhookRow[]> {
  return db.kysely.selectFrom('webhooks').selectAll().where('user_id', '=', userId).orderBy('id').execute();
}

/** Returns a webhook of the user. Throws webhookNotFound for an unknown id and for another user's webhook. */
export async function getWebhook({ db }: Deps, userId: number, id: number): Promise<WebhookRow> {
  const row = await db.kysely
    .selectFrom('webhooks')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  if (!row) throw errors.webhookNotFound();
  return row;
}

/** Creates a webhook. Throws invalid if the URL is not allowed or the user has too many webhooks. */
export async function insertWebhook(
  { db, clock, config }: Deps,
  userId: number,
  { url, events, description = '', is_active = 1 }: NewWebhook,
): Promise<WebhookRow> {
  const target = checkWebhookTarget(url, { allowPrivate: config.webhookAllowPrivate });
  return db.kysely.transaction().execute(async (transaction) => {
    // The lock on the user's row makes parallel requests wait, so that each counts the webhooks of the one before.
    await transaction.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute();
    const n = await countRows(transaction.selectFrom('webhooks').where('user_id', '=', userId));
    if (n >= maxWebhooks) {
      throw invalidFieldsError({ url: [`There are already ${maxWebhooks} webhooks; delete one first`] });
    }
    return transaction
      .insertInto('webhooks')
      .values({
        user_id: userId,
        url: target,
        secret: newSecret(),
        events: JSON.stringify(events),
        description,
        is_active,
        disabled_reason: '',
        ...healthyWebhookColumns,
        create_time: clock(),
      })
      .returningAll()
      .executeTakeFirstOrThrow();
  });
}

/**
 * Updates the given fields of a webhook. A new URL or a reactivation resets the failure counters. Throws
 * webhookNotFound or invalid.
 */
export async function updateWebhook(
  { db, config }: Deps,
  userId: number,
  id: number,
  { url, events, description, is_active, rotate_secret }: WebhookUpdate,
): Promise<WebhookRow> {
  const target = url && checkWebhookTarget(url, { allowPrivate: config.webhookAllowPrivate });
  const row = await db.kysely
    .updateTable('webhooks')
    .set((is) => ({
      // The assignment changes nothing, but an UPDATE needs at least one column.
      user_id: is.ref('user_id'),
      ...(target && { url: target }),
      ...(events && { events: JSON.stringify(events) }),
      ...(description !== undefined && { description }),
      ...(is_active !== undefined && { is_active, disabled_reason: '' }),
      ...(rotate_secret && { secret: newSecret() }),
      ...((target || is_active === 1) && healthyWebhookColumns),
    }))
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returningAll()
    .executeTakeFirst();
  if (!row) throw errors.webhookNotFound();
  return row;
}

/**
 * Deletes a webhook. Deletes its deliveries first, in the order of their ids, because the dispatcher locks them in the
 * same order. Throws webhookNotFound.
 */
export async function deleteWebhook({ db }: Deps, userId: number, id: number): Promise<void> {
  await db.kysely.transaction().execute(async (transaction) => {
    const found = await transaction
      .selectFrom('webhooks')
      .select('id')
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .forUpdate()
      .executeTakeFirst();
    if (!found) throw errors.webhookNotFound();
    await transaction
      .deleteFrom('webhook_deliveries')
      .where('id', 'in', (query) =>
        query
          .selectFrom('webhook_deliveries')
          .select('id')
          .where('webhook_id', '=', id)
          .orderBy('id')
          .forUpdate(),
      )
      .execute();
    await transaction.deleteFrom('webhooks').where('id', '=', id).execute();
  });
}
