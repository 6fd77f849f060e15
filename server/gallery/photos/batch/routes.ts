/** Many photos at once. */

import type { Deps } from '../../../deps.ts';
import type { App } from '../../../platform/http/app.ts';
import { doneWith } from '../../../platform/http/envelope.ts';
import { endpoints } from '../../accounts/endpoints.ts';
import { Outcome } from '../schema.ts';
import { Batch, runBatch } from './batch.ts';

export async function batchRoutes(app: App, deps: Deps): Promise<void> {
  const api = endpoints(app, 'Photos');

  api.post('/api/photos/batch', {
    auth: 'required',
    operationId: 'batchPhotos',
    summary: 'Change many photos at once',
    description:
      'Each photo is changed independently: the answer names those that failed, with the reason. `restore` takes ' +
      'photos out of the trash, `publish` and `hide` set `is_public`.',
    body: Batch,
    answer: Outcome,
    handler: async (request) => {
      const result = await runBatch(deps, request.viewer, request.body);
      return doneWith(`Done: ${result.success.length}, failed: ${result.failed.length}`, result);
    },
  });
}
