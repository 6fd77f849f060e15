/**
 * Deletes uploads that have expired, one day after their creation, and counts open uploads for the metrics. The hourly
 * maintenance run calls this file.
 */
import type { Registry } from 'prom-client';
import type { Deps } from '../../deps.ts';
import { collectSucceeded, inBatches, rowsPerBatch, type StopSignal } from '../../platform/db/batches.ts';
import { yieldPagesByColumn } from '../../platform/db/pages.ts';
import { countRows } from '../../platform/db/rows.ts';
import { addGauge } from '../../platform/operations/metrics.ts';
import { deleteUpload } from './store.ts';

/**
 * Deletes expired uploads and returns their number. The row of a finished upload also stays until its expiry, so that a
 * client can repeat the last request.
 */
export async function deleteExpiredUploads(deps: Deps, stop: StopSignal): Promise<number> {
  const due = deps.db.slow().selectFrom('uploads').select('id').where('expire_time', '<=', deps.clock());
  return inBatches(
    stop,
    yieldPagesByColumn(due, 'id', 'id', '', rowsPerBatch),
    async (rows) => (await collectSucceeded(deps, rows, ({ id }) => deleteUpload(deps, id))).length,
  );
}

export function registerUploadMetrics(registry: Registry, { db }: Deps): void {
  addGauge(registry, 'lightwell_uploads_open', 'Resumable uploads in progress', 'max', () =>
    countRows(db.slow().selectFrom('uploads').where('photo_id', 'is', null)),
  );
}
