/**
 * Deletes old deliveries from the log of each webhook. The hourly run in tools/maintenance/maintenance.ts calls this
 * file.
 */
import type { Deps } from '../../deps.ts';
import { inBatches, rowsPerBatch, type StopSignal } from '../../platform/db/batches.ts';
import { yieldPagesByColumn, yieldRowPages } from '../../platform/db/pages.ts';
import { idsOf } from '../../platform/db/rows.ts';
import { resetFutureDueTimes } from '../../platform/outbox/lease.ts';

const keptSeconds = 30 * 86_400;
/** Maximum number of finished deliveries in the log of each webhook. */
export const maxLoggedDeliveries = 1000;

/** Deletes finished deliveries that are too old or too many, and returns their number. */
export async function purgeDeliveries(deps: Deps, stop: StopSignal): Promise<number> {
  await resetFutureDueTimes(deps.db.kysely, 'webhook_deliveries', deps.clock());
  return (await purgeOld(deps, stop)) + (await purgeSurplus(deps, stop));
}

function purgeOld({ db, clock }: Deps, stop: StopSignal): Promise<number> {
  const old = db
    .slow()
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('create_time', '<', clock() - keptSeconds)
    .where('due_time', 'is', null)
    .orderBy('create_time')
    .limit(rowsPerBatch);
  return removeAll({ db }, stop, () => old.execute());
}

async function purgeSurplus({ db }: Deps, stop: StopSignal): Promise<number> {
  const webhooks = yieldPagesByColumn(
    db.slow().selectFrom('webhooks').select('id'),
    'id',
    'id',
    0,
    rowsPerBatch,
  );
  return inBatches(stop, webhooks, async (rows) => {
    let removed = 0;
    for (const { id } of rows) removed += await purgeSurplusDeliveries({ db }, id, stop);
    return removed;
  });
}

function purgeSurplusDeliveries(
  { db }: Pick<Deps, 'db'>,
  webhookId: number,
  stop: StopSignal,
): Promise<number> {
  const beyond = db
    .slow()
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('webhook_id', '=', webhookId)
    .where('due_time', 'is', null)
    .orderBy('id', 'desc')
    .offset(maxLoggedDeliveries)
    .limit(rowsPerBatch);
  return removeAll({ db }, stop, () => beyond.execute());
}

/** Deletes rows in batches until `find`, which returns the first remaining rows, finds none. */
function removeAll(
  { db }: Pick<Deps, 'db'>,
  stop: StopSignal,
  find: () => Promise<{ id: number }[]>,
): Promise<number> {
  return inBatches(
    stop,
    yieldRowPages(0, rowsPerBatch, () => 0, find),
    (rows) => deleteDeliveries({ db }, idsOf(rows)),
  );
}

async function deleteDeliveries({ db }: Pick<Deps, 'db'>, ids: number[]): Promise<number> {
  const { numDeletedRows } = await db.kysely
    .deleteFrom('webhook_deliveries')
    .where('id', 'in', ids)
    .where('due_time', 'is', null)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
