/**
 * Defines the routes for admins: statistics and the audit log here, accounts and moderation in files of their own.
 */

import type { Deps } from '../../deps.ts';
import type { App } from '../../platform/http/app.ts';
import { listPageSchema } from '../../platform/http/envelope.ts';
import { createEndpointMethods } from '../identity/endpoints.ts';
import { adminContentRoutes } from './content/routes.ts';
import { ownAccountRoutes } from './erase/own-account.ts';
import { adminInviteRoutes } from './invites/routes.ts';
import { adminKeyRoutes } from './keys/routes.ts';
import { AuditLogEntry, AuditLogQuery, listAuditLog } from './log-list.ts';
import { GalleryStats, readGalleryStats, StatsQuery } from './stats.ts';
import { adminUserRoutes } from './users/routes.ts';

export async function adminRoutes(app: App, deps: Deps): Promise<void> {
  const api = createEndpointMethods(app, 'Administration');

  api.get('/api/admin/stats', {
    auth: 'admin',
    operationId: 'getStats',
    summary: 'Get statistics',
    description: 'Returns totals, the activity of the last days, and problems that an admin should fix.',
    querystring: StatsQuery,
    answer: GalleryStats,
    handler: async ({ query }) => ({
      ...(await readGalleryStats(deps, query.days)),
      unnamed_proxy: app.shared.proxies.address,
    }),
  });

  await adminUserRoutes(app, deps);
  await adminKeyRoutes(app, deps);
  await ownAccountRoutes(app, deps);
  await adminContentRoutes(app, deps);
  await adminInviteRoutes(app, deps);

  api.get('/api/admin/logs', {
    auth: 'admin',
    operationId: 'listLogs',
    summary: 'List the audit log',
    description:
      'Newest first. Lists acts of admins, of the command line and of account owners; these entries ' +
      'cannot be changed or removed. Also lists logins, and refused or rate-limited attempts: one ' +
      'entry for each kind, account and hour. Attempts are removed after `ATTEMPT_DAYS` days.',
    querystring: AuditLogQuery,
    answer: listPageSchema(AuditLogEntry),
    handler: ({ query }) => listAuditLog(deps, query),
  });
}
