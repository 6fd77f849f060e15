/** Reports: users tell the admins about what should not be here. */

import type { Deps } from '../../deps.ts';
import type { App } from '../../platform/http/app.ts';
import { doneWith, failures, writeAnswer } from '../../platform/http/envelope.ts';
import { viewerOf } from '../accounts/access.ts';
import * as schema from './schema.ts';
import { insertReport } from './store.ts';

export async function reportRoutes(app: App, deps: Deps): Promise<void> {
  app.post(
    '/api/reports',
    {
      config: { auth: 'required' },
      schema: {
        operationId: 'report',
        tags: ['Reports'],
        summary: 'Report a photo, a comment or a user',
        description: 'Reporting the same thing again while the report is open replaces its reason and text.',
        body: schema.NewReport,
        response: {
          200: writeAnswer(schema.Reported),
          ...failures(
            'invalid',
            'photoNotFound',
            'photoForbidden',
            'commentNotFound',
            'commentForbidden',
            'userNotFound',
            'unauthenticated',
            'badToken',
          ),
        },
      },
    },
    async (request) => {
      const id = await insertReport(deps, viewerOf(request), request.body);
      return doneWith('Thank you, the admins will look at it', { id });
    },
  );
}
