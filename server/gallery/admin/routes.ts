/**
 * Defines the routes for admins: statistics and the audit log here, accounts and moderation in files of their own.
 */

import type { Deps } from '../../deps.ts';
import type { App } from '../../platform/http/app.ts';
import { pageSchema } from '../../platform/http/envelope.ts';
import { endpoints } from '../identity/endpoints.ts';
import { adminContentRoutes } from './content/routes.ts';
import { ownAccountRoutes } from './erase/own-account.ts';
import { adminInviteRoutes } from './invites/routes.ts';
import { LogEntry, LogsQuery, listLogs } from './log-list.ts';
import { readStats, Stats, StatsQuery } from './stats.ts';
import { adminUserRoutes } from './users/routes.ts';

export async function adminRoutes(app: App, deps: Deps): Promise<void> {
  const api = endpoints(app, 'Administration');

  api.get('/api/admin/stats', {
    auth: 'admin',
    operationId: 'getStats',
    summary: 'Get statistics',
    description: 'Totals, the activity of each of the last days, and what is to be set right.',
    querystring: StatsQuery,
    answer: Stats,
    handler: async ({ query }) => ({
      ...(await readStats(deps, query.days)),
      unnamed_proxy: app.shared.proxies.address,
    }),
  });

  await adminUserRoutes(app, deps);
  await ownAccountRoutes(app, deps);
  await adminContentRoutes(app, deps);
  await adminInviteRoutes(app, deps);

  api.get('/api/admin/logs', {
    auth: 'admin',
    operationId: 'listLogs',
    summary: 'List the audit log',
    description:
      'What admins, the command line and the owners of accounts did, latest first: it cannot be changed or removed. ' +
      'Between them are sign-ins, and what was refused or limited at the doors of accounts: one entry for each kind, account ' +
      'and hour. After `ATTEMPT_DAYS` days these are removed.',
    querystring: LogsQuery,
    answer: pageSchema(LogEntry),
    handler: ({ query }) => listLogs(deps, query),
  });
}
