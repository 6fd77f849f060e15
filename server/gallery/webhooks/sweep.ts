/** Keeps the log within its bounds. Run by the periodic task, tools/upkeep/sweep.ts. */
import type { Deps } from '../../deps.ts';
import { batchSize, inBatches, type Stop } from '../../platform/db/batches.ts';

const keptSeconds = 30 * 86_400;
/** Of those that have ended, per webhook. */
export const maxKept = 1000;

/** Deletes deliveries that ended, when they are old or too many. Returns how many. */
export async function forgetDeliveries(deps: Deps, stop: Stop): Promise<number> {
  return (await forgetOld(deps, stop)) + (await forgetTooMany(deps, stop));
}

function forgetOld({ db, clock }: Deps, stop: Stop): Promise<number> {
  const oldest = clock() - keptSeconds;
  return inBatches(stop, 0, {
    find: () =>
      db.slow
        .selectFrom('webhook_deliveries')
        .select('id as cursor')
        .where('create_time', '<', oldest)
        .where('due_time', 'is', null)
        .orderBy('create_time')
        .limit(batchSize)
        .execute(),
    each: (ids) => remove({ db }, ids),
  });
}

async function forgetTooMany({ db }: Deps, stop: Stop): Promise<number> {
  let removed = 0;
  await inBatches(stop, 0, {
    find: (after) =>
      db.slow
        .selectFrom('webhooks')
        .select('id as cursor')
        .where('id', '>', after)
        .orderBy('id')
        .limit(batchSize)
        .execute(),
    async each(webhooks) {
      for (const webhook of webhooks) removed += await forgetBeyond({ db }, webhook, stop);
      return webhooks.length;
    },
  });
  return removed;
}

function forgetBeyond({ db }: Pick<Deps, 'db'>, webhookId: number, stop: Stop): Promise<number> {
  return inBatches(stop, 0, {
    find: () =>
      db.slow
        .selectFrom('webhook_deliveries')
        .select('id as cursor')
        .where('webhook_id', '=', webhookId)
        .where('due_time', 'is', null)
        .orderBy('id', 'desc')
        .offset(maxKept)
        .limit(batchSize)
        .execute(),
    each: (ids) => remove({ db }, ids),
  });
}

async function remove({ db }: Pick<Deps, 'db'>, ids: number[]): Promise<number> {
  const { numDeletedRows } = await db.kysely
    .deleteFrom('webhook_deliveries')
    .where('id', 'in', ids)
    .where('due_time', 'is', null)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
