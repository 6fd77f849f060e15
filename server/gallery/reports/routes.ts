/** Route to report photos, comments and users to the admins. */

import type { Deps } from '../../deps.ts';
import type { App } from '../../platform/http/app.ts';
import { resultResponse } from '../../platform/http/envelope.ts';
import { createEndpointMethods } from '../identity/endpoints.ts';
import * as schema from './schema.ts';
import { insertReport } from './store.ts';

export async function reportRoutes(app: App, deps: Deps): Promise<void> {
  const api = createEndpointMethods(app, 'Reports');

  api.post('/api/reports', {
    auth: 'required',
    operationId: 'report',
    summary: 'Report a photo, a comment or a user',
    description:
      'If the caller already has an open report about the same target, its reason and text are ' +
      'replaced.',
    body: schema.NewReport,
    answer: schema.CreatedReport,
    refusals: ['photoNotFound', 'photoForbidden', 'commentNotFound', 'commentForbidden', 'userNotFound'],
    handler: async (request) => {
      const id = await insertReport(deps, request.viewer, request.body);
      return resultResponse('Thank you. An admin will review the report.', { id });
    },
  });
}
