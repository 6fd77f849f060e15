/** A user's webhooks, their log, and delivering anew. */

import type { Deps } from '../../deps.ts';
import type { App } from '../../platform/http/app.ts';
import {
  dataAnswer,
  done,
  doneWith,
  failures,
  messageAnswer,
  ok,
  pageAnswer,
  writeAnswer,
} from '../../platform/http/envelope.ts';
import { idParams } from '../../platform/http/schema.ts';
import { viewerOf } from '../accounts/access.ts';
import { listDeliveries, redeliver, sendTest } from './deliveries.ts';
import { presentDelivery, presentWebhook } from './present.ts';
import * as schema from './schema.ts';
import { deleteWebhook, getWebhook, insertWebhook, listWebhooks, updateWebhook } from './store.ts';

const tags = ['Webhooks'];
const params = idParams('webhook');
const signedIn = ['unauthenticated', 'badToken'] as const;
const onWebhook = ['invalid', 'webhookNotFound', ...signedIn] as const;

export async function webhookRoutes(app: App, deps: Deps): Promise<void> {
  app.get(
    '/api/webhooks',
    {
      config: { auth: 'required' },
      schema: {
        operationId: 'listWebhooks',
        tags,
        summary: 'List my webhooks',
        description: 'All of them, without pages and without their secrets.',
        response: { 200: dataAnswer(schema.WebhookList), ...failures(...signedIn) },
      },
    },
    async (request) => {
      const rows = await listWebhooks(deps, viewerOf(request).id);
      return ok({ list: rows.map((row) => presentWebhook(row, deps.clock())) });
    },
  );

  app.post(
    '/api/webhooks',
    {
      config: { auth: 'required' },
      schema: {
        operationId: 'createWebhook',
        tags,
        summary: 'Create a webhook',
        description:
          'At most ten per user. Only this answer contains the secret. The events, their bodies and headers are ' +
          'described under `webhooks` in this document.',
        body: schema.MakeWebhook,
        response: { 200: writeAnswer(schema.MadeWebhook), ...failures('invalid', ...signedIn) },
      },
    },
    async (request) => {
      const row = await insertWebhook(deps, viewerOf(request).id, request.body);
      return doneWith('Webhook made', { ...presentWebhook(row, deps.clock()), secret: row.secret });
    },
  );

  app.get(
    '/api/webhooks/:id',
    {
      config: { auth: 'required' },
      schema: {
        operationId: 'getWebhook',
        tags,
        summary: 'Get a webhook',
        description: 'The secret is not included.',
        params,
        response: { 200: dataAnswer(schema.Webhook), ...failures(...onWebhook) },
      },
    },
    async (request) =>
      ok(presentWebhook(await getWebhook(deps, viewerOf(request).id, request.params.id), deps.clock())),
  );

  app.put(
    '/api/webhooks/:id',
    {
      config: { auth: 'required' },
      schema: {
        operationId: 'updateWebhook',
        tags,
        summary: 'Update a webhook',
        description: 'Fields that are left out keep their values.',
        params,
        body: schema.ChangeWebhook,
        response: { 200: writeAnswer(schema.ChangedWebhook), ...failures(...onWebhook) },
      },
    },
    async (request) => {
      const { params, body } = request;
      const row = await updateWebhook(deps, viewerOf(request).id, params.id, body);
      const shown = presentWebhook(row, deps.clock());
      return doneWith('Webhook saved', body.rotate_secret ? { ...shown, secret: row.secret } : shown);
    },
  );

  app.delete(
    '/api/webhooks/:id',
    {
      config: { auth: 'required' },
      schema: {
        operationId: 'deleteWebhook',
        tags,
        summary: 'Delete a webhook and its deliveries',
        description: 'Pending deliveries are dropped.',
        params,
        response: { 200: messageAnswer, ...failures(...onWebhook) },
      },
    },
    async (request) => {
      await deleteWebhook(deps, viewerOf(request).id, request.params.id);
      return done('Webhook deleted');
    },
  );

  app.post(
    '/api/webhooks/:id/test',
    {
      config: { auth: 'required' },
      schema: {
        operationId: 'testWebhook',
        tags,
        summary: 'Send a test event',
        description:
          'Returns the delivery, which is still under way; the list of deliveries shows its result.',
        params,
        response: { 200: writeAnswer(schema.Delivery), ...failures(...onWebhook, 'webhookInactive') },
      },
    },
    async (request) =>
      doneWith(
        'Test event on its way',
        presentDelivery(await sendTest(deps, viewerOf(request), request.params.id)),
      ),
  );

  app.get(
    '/api/webhooks/:id/deliveries',
    {
      config: { auth: 'required' },
      schema: {
        operationId: 'listDeliveries',
        tags,
        summary: "List a webhook's deliveries",
        description:
          'Newest first. Deliveries are kept for thirty days, at most the last 1,000 finished ones.',
        params,
        querystring: schema.DeliveriesQuery,
        response: { 200: pageAnswer(schema.Delivery), ...failures(...onWebhook) },
      },
    },
    async (request) => ok(await listDeliveries(deps, viewerOf(request), request.params.id, request.query)),
  );

  app.post(
    '/api/webhooks/:id/deliveries/:delivery_id/redeliver',
    {
      config: { auth: 'required' },
      schema: {
        operationId: 'redeliver',
        tags,
        summary: 'Redeliver an event',
        description: 'Creates a new delivery with the same `webhook-id`.',
        params: schema.deliveryParams,
        response: {
          200: writeAnswer(schema.Delivery),
          ...failures(...onWebhook, 'deliveryNotFound', 'webhookInactive'),
        },
      },
    },
    async (request) => {
      const { id, delivery_id } = request.params;
      const delivery = await redeliver(deps, viewerOf(request), id, delivery_id);
      return doneWith('Event on its way again', presentDelivery(delivery));
    },
  );
}
