/** Routes to list a user's notifications and to mark notifications as read. */

import type { Deps } from '../../deps.ts';
import type { App } from '../../platform/http/app.ts';
import { listPageSchema, messageResponse } from '../../platform/http/envelope.ts';
import { createEndpointMethods } from '../identity/endpoints.ts';
import { createListNotifications } from './list.ts';
import { markNotificationsRead } from './notify.ts';
import * as schema from './schema.ts';

export async function notificationRoutes(app: App, deps: Deps): Promise<void> {
  const api = createEndpointMethods(app, 'Notifications');
  const listNotifications = createListNotifications(deps);

  api.get('/api/notifications', {
    auth: 'required',
    operationId: 'listNotifications',
    summary: 'List my notifications',
    description:
      'Newest first. All likes of a photo share one notification, and so do all its favorites. A ' +
      'notification about a photo that the caller can no longer see is listed without the photo.',
    querystring: schema.NotificationsQuery,
    answer: listPageSchema(schema.Notification, schema.unreadField),
    handler: ({ viewer, query }) => listNotifications(viewer, query),
  });

  api.post('/api/notifications/read', {
    auth: 'required',
    operationId: 'readNotifications',
    summary: 'Mark notifications as read',
    description: 'Marks the notifications with the given `ids`, or all.',
    body: schema.ReadNotificationsRequest,
    handler: async (request) => {
      const { ids } = request.body;
      await markNotificationsRead(deps, request.viewer, ids);
      return messageResponse('Notifications marked as read');
    },
  });
}
