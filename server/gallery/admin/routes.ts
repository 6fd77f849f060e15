/** What only admins may: figures and the audit log here, accounts and moderation in files of their own. */

import type { Deps } from '../../deps.ts';
import type { App } from '../../platform/http/app.ts';
import { dataAnswer, failures, ok, pageAnswer } from '../../platform/http/envelope.ts';
import { adminContentRoutes } from './content/routes.ts';
import { createEraser } from './erase/eraser.ts';
import { LogEntry, LogsQuery, listLogs } from './log-list.ts';
import { readStats, Stats, StatsQuery } from './stats.ts';
import { adminUserRoutes } from './users/routes.ts';

const tags = ['Administration'];
const adminOnly = ['unauthenticated', 'badToken', 'forbidden'] as const;

export async function adminRoutes(app: App, deps: Deps): Promise<void> {
  app.get(
    '/api/admin/stats',
    {
      config: { auth: 'admin' },
      schema: {
        operationId: 'getStats',
        tags,
        summary: 'Get statistics',
        description: 'Totals, and the activity of each of the last days.',
        querystring: StatsQuery,
        response: { 200: dataAnswer(Stats), ...failures('invalid', ...adminOnly) },
      },
    },
    async ({ query }) => ok(await readStats(deps, query.days)),
  );

  const eraser = createEraser(deps);
  // What a stop left undone.
  app.addHook('onListen', async () => eraser.start());
  app.addHook('onClose', () => eraser.stop());
  await adminUserRoutes(app, deps, eraser);
  await adminContentRoutes(app, deps, eraser);

  app.get(
    '/api/admin/logs',
    {
      config: { auth: 'admin' },
      schema: {
        operationId: 'listLogs',
        tags,
        summary: 'List the audit log',
        description:
          'What admins and the command line did, latest first. Entries cannot be changed or removed.',
        querystring: LogsQuery,
        response: { 200: pageAnswer(LogEntry), ...failures('invalid', ...adminOnly) },
      },
    },
    async ({ query }) => ok(await listLogs(deps, query)),
  );
}
