/** The `webhooks` of the OpenAPI document: requests that Lightwell sends. */
import { eventSchemas } from '../../server/gallery/webhooks/events.ts';
import type { Operation, Parameter, PathItem, Schema } from './types.ts';

const header = (name: string, description: string): Parameter => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
});

const parameters = [
  header(
    'webhook-id',
    'Of the event: the same at every attempt. An event may arrive twice, and in any order',
  ),
  header('webhook-timestamp', 'Of the attempt, Unix seconds'),
  header(
    'webhook-signature',
    '`v1,` and the base64 of HMAC-SHA256 over `{webhook-id}.{webhook-timestamp}.{body}`, with the bytes that the ' +
      'secret holds after `whsec_` in base64. See https://www.standardwebhooks.com',
  ),
];

const responses = {
  '2XX': {
    description: 'Accepted. After any other answer, including redirects, the event is sent again for a day',
  },
  '410': { description: 'Deactivates the webhook' },
};

/** Returns a name such as `onPhotoCreated` for the event `photo.created`. */
function webhookName(type: string): string {
  return `on${type.replace(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase())}`;
}

export const webhooks: Record<string, PathItem> = Object.fromEntries(
  eventSchemas.map(({ type, description, payload }) => [
    type,
    {
      post: {
        operationId: webhookName(type),
        summary: type,
        description,
        tags: ['Webhooks'],
        security: [],
        parameters,
        requestBody: {
          required: true,
          content: { 'application/json': { schema: payload as object as Schema } },
        },
        responses,
      } satisfies Operation,
    },
  ]),
);
