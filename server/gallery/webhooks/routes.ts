/** Routes to manage a user's webhooks, list their deliveries and redeliver events. */

import type { Deps } from '../../deps.ts';
import type { App } from '../../platform/http/app.ts';
import { listPageSchema, messageResponse, resultResponse } from '../../platform/http/envelope.ts';
import { idParams } from '../../platform/http/schema.ts';
import { createEndpointMethods } from '../identity/endpoints.ts';
import { listDeliveries, repeatDelivery, sendWebhookTest } from './deliveries.ts';
import { presentDelivery, presentWebhook } from './present.ts';
import * as schema from './schema.ts';
import { deleteWebhook, getWebhook, insertWebhook, listWebhooks, updateWebhook } from './store.ts';

const params = idParams('webhook');

export async function webhookRoutes(app: App, deps: Deps): Promise<void> {
  const api = createEndpointMethods(app, 'Webhooks');

  api.get('/api/webhooks', {
    auth: 'required',
    operationId: 'listWebhooks',
    summary: 'List my webhooks',
    description: 'Returns all webhooks without pages and without their secrets.',
    answer: schema.WebhookList,
    handler: async (request) => {
      const rows = await listWebhooks(deps, request.viewer.id);
      return { list: rows.map((row) => presentWebhook(row, deps.clock())) };
    },
  });

  api.post('/api/webhooks', {
    auth: 'required',
    operationId: 'createWebhook',
    summary: 'Create a webhook',
    description:
      'A user can have at most ten webhooks. Only this response contains the secret. The events, ' +
      'their bodies and headers are described under `webhooks` in this document.',
    body: schema.NewWebhook,
    answer: schema.CreatedWebhook,
    handler: async (request) => {
      const row = await insertWebhook(deps, request.viewer.id, request.body);
      return resultResponse('Webhook created', { ...presentWebhook(row, deps.clock()), secret: row.secret });
    },
  });

  api.get('/api/webhooks/:id', {
    auth: 'required',
    operationId: 'getWebhook',
    summary: 'Get a webhook',
    description: 'The secret is not included.',
    params,
    answer: schema.Webhook,
    refusals: ['webhookNotFound'],
    handler: async (request) =>
      presentWebhook(await getWebhook(deps, request.viewer.id, request.params.id), deps.clock()),
  });

  api.put('/api/webhooks/:id', {
    auth: 'required',
    operationId: 'updateWebhook',
    summary: 'Update a webhook',
    description: 'Fields that are left out keep their values.',
    params,
    body: schema.WebhookUpdate,
    answer: schema.UpdatedWebhook,
    refusals: ['webhookNotFound'],
    handler: async (request) => {
      const { params, body } = request;
      const row = await updateWebhook(deps, request.viewer.id, params.id, body);
      const shown = presentWebhook(row, deps.clock());
      return resultResponse('Webhook saved', body.rotate_secret ? { ...shown, secret: row.secret } : shown);
    },
  });

  api.delete('/api/webhooks/:id', {
    auth: 'required',
    operationId: 'deleteWebhook',
    summary: 'Delete a webhook and its deliveries',
    description: 'Pending deliveries are deleted, too.',
    params,
    refusals: ['webhookNotFound'],
    handler: async (request) => {
      await deleteWebhook(deps, request.viewer.id, request.params.id);
      return messageResponse('Webhook deleted');
    },
  });

  api.post('/api/webhooks/:id/test', {
    auth: 'required',
    operationId: 'testWebhook',
    summary: 'Send a test event',
    description: 'Returns the pending delivery; the list of deliveries shows its result later.',
    params,
    answer: schema.WebhookDelivery,
    refusals: ['webhookNotFound', 'webhookInactive'],
    handler: async (request) =>
      resultResponse(
        'Test event queued',
        presentDelivery(await sendWebhookTest(deps, request.viewer, request.params.id)),
      ),
  });

  api.get('/api/webhooks/:id/deliveries', {
    auth: 'required',
    operationId: 'listDeliveries',
    summary: "List a webhook's deliveries",
    description:
      'Newest first. Deliveries are stored for thirty days, and at most the last 1,000 finished ones.',
    params,
    querystring: schema.WebhookDeliveriesQuery,
    answer: listPageSchema(schema.WebhookDelivery),
    refusals: ['webhookNotFound'],
    handler: ({ viewer, params, query }) => listDeliveries(deps, viewer, params.id, query),
  });

  api.post('/api/webhooks/:id/deliveries/:delivery_id/redeliver', {
    auth: 'required',
    operationId: 'redeliver',
    summary: 'Redeliver an event',
    description: 'Creates a new delivery with the same `webhook-id`.',
    params: schema.deliveryParams,
    answer: schema.WebhookDelivery,
    refusals: ['webhookNotFound', 'deliveryNotFound', 'webhookInactive'],
    handler: async (request) => {
      const { id, delivery_id } = request.params;
      const delivery = await repeatDelivery(deps, request.viewer, id, delivery_id);
      return resultResponse('Event queued again', presentDelivery(delivery));
    },
  });
}
