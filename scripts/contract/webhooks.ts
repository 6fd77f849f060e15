/** The `webhooks` of the OpenAPI document: requests that Lightwell sends. */
import { webhookEventSchemas } from '../../server/gallery/webhooks/events.ts';
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
    'Id of the event, the same for all attempts. An event can arrive twice, and events can arrive in any order',
  ),
  header('webhook-timestamp', 'Time of the attempt, in Unix seconds'),
  header(
    'webhook-signature',
    '`v1,` and the base64 of HMAC-SHA256 over `{webhook-id}.{webhook-timestamp}.{body}`, keyed with the ' +
      'base64 bytes after `whsec_` in the secret. See https://www.standardwebhooks.com',
  ),
];

const responses = {
  '2XX': {
    description: 'Accepted. After any other response, including redirects, delivery is retried for a day',
  },
  '410': { description: 'Deactivates the webhook' },
};

/** Returns a name such as `onPhotoCreated` for the event `photo.created`. */
function webhookName(type: string): string {
  return `on${type.replace(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase())}`;
}

export const webhooks: Record<string, PathItem> = Object.fromEntries(
  webhookEventSchemas.map(({ type, description, payload }) => [
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
