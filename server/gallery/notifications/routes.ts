/** A user's notifications: list them, mark them as read. */

import type { Deps } from '../../deps.ts';
import type { App } from '../../platform/http/app.ts';
import { done, failures, messageAnswer, ok, pageAnswer } from '../../platform/http/envelope.ts';
import { viewerOf } from '../accounts/access.ts';
import { createListNotifications } from './list.ts';
import { markRead } from './read.ts';
import * as schema from './schema.ts';

const tags = ['Notifications'];
const refusals = ['invalid', 'unauthenticated', 'badToken'] as const;

export async function notificationRoutes(app: App, deps: Deps): Promise<void> {
  const listNotifications = createListNotifications(deps);

  app.get(
    '/api/notifications',
    {
      config: { auth: 'required' },
      schema: {
        operationId: 'listNotifications',
        tags,
        summary: 'List my notifications',
        description:
          'Latest first. All likes of a photo share one notification, and so do all its favorites. A notification ' +
          'about a photo that the caller may no longer see does not show the photo.',
        querystring: schema.NotificationsQuery,
        response: { 200: pageAnswer(schema.Notification, schema.unreadField), ...failures(...refusals) },
      },
    },
    async (request) => ok(await listNotifications(viewerOf(request), request.query)),
  );

  app.post(
    '/api/notifications/read',
    {
      config: { auth: 'required' },
      schema: {
        operationId: 'readNotifications',
        tags,
        summary: 'Mark notifications as read',
        description: 'Those with the given `ids`, or all.',
        body: schema.MarkRead,
        response: { 200: messageAnswer, ...failures(...refusals) },
      },
    },
    async (request) => {
      const { ids } = request.body;
      await markRead(deps, viewerOf(request), ids);
      return done('Notifications marked as read');
    },
  );
}
