/** Many photos at once. */

import type { Deps } from '../../../deps.ts';
import type { App } from '../../../platform/http/app.ts';
import { doneWith, failures, writeAnswer } from '../../../platform/http/envelope.ts';
import { viewerOf } from '../../accounts/access.ts';
import { Outcome } from '../schema.ts';
import { Batch, runBatch } from './batch.ts';

export async function batchRoutes(app: App, deps: Deps): Promise<void> {
  app.post(
    '/api/photos/batch',
    {
      config: { auth: 'required' },
      schema: {
        operationId: 'batchPhotos',
        tags: ['Photos'],
        summary: 'Change many photos at once',
        description:
          'Each photo is changed independently: the answer names those that failed, with the reason. `restore` takes ' +
          'photos out of the trash, `publish` and `hide` set `is_public`.',
        body: Batch,
        response: {
          200: writeAnswer(Outcome),
          ...failures('invalid', 'unauthenticated', 'badToken'),
        },
      },
    },
    async (request) => {
      const result = await runBatch(deps, viewerOf(request), request.body);
      return doneWith(`Done: ${result.success.length}, failed: ${result.failed.length}`, result);
    },
  );
}
