/**
 * Schemas of the requests and responses of the webhook routes. The schemas of the delivered events are in events.ts.
 */

import type { Static } from 'typebox';
import type { ValueRule } from '../../platform/http/ajv.ts';
import { paginatedQuery } from '../../platform/http/pagination.ts';
import {
  choiceField,
  flagField,
  flagResponseField,
  idField,
  nullableField,
  nullableFlagField,
  textField,
  timeField,
  timeOrEmptyField,
} from '../../platform/http/schema.ts';
import { Type } from '../../platform/schema/type.ts';
import { webhookEventNames } from './events.ts';
import { findWebhookTargetProblem, maxUrlLength } from './target.ts';

const Event = choiceField(webhookEventNames, { title: 'WebhookEvent' });

const eventsField = Type.Array(Event, {
  minItems: 1,
  maxItems: webhookEventNames.length,
  uniqueItems: true,
  description: 'Events that the webhook receives',
});

const isTarget: ValueRule = (url: string, { allowPrivateTargets }) =>
  findWebhookTargetProblem(url, { allowPrivate: allowPrivateTargets });

const urlField = Type.String({
  ...textField(
    maxUrlLength,
    'Target URL, http or https. Targets in private networks are refused, and redirects are not followed',
  ),
  rule: isTarget,
});
const descriptionField = textField(200, 'Purpose of the webhook');
const activeText = '0: inactive. Events are not delivered, also not later';
const activeField = flagField(activeText);

export const NewWebhook = Type.Object(
  {
    url: urlField,
    events: eventsField,
    description: Type.Optional(nullableField(descriptionField)),
    is_active: Type.Optional(nullableFlagField(activeText)),
  },
  {
    title: 'NewWebhook',
    examples: [{ url: 'https://example.org/hooks', events: ['photo.created', 'comment.created'] }],
  },
);
export type NewWebhook = Static<typeof NewWebhook>;

export const WebhookUpdate = Type.Object(
  {
    url: Type.Optional(urlField),
    events: Type.Optional(eventsField),
    description: Type.Optional(nullableField(descriptionField, '')),
    is_active: Type.Optional(activeField),
    rotate_secret: Type.Optional(
      nullableField(
        Type.Boolean({
          description:
            'true: creates a new secret, which the response contains; the old one stops working ' +
            'immediately',
        }),
      ),
    ),
  },
  { title: 'WebhookUpdate', examples: [{ events: ['photo.deleted'], is_active: 1 }] },
);
export type WebhookUpdate = Static<typeof WebhookUpdate>;

const webhook = {
  id: Type.Integer(),
  url: Type.String({ examples: ['https://example.org/hooks'] }),
  events: Type.Array(Event),
  description: Type.String({ examples: ['Prints what is new'] }),
  is_active: flagResponseField('0: inactive, no events are delivered'),
  disabled_reason: Type.String({
    description: '"gone": the target answered 410, which deactivated the webhook; "" otherwise',
    examples: [''],
  }),
  is_failing: Type.Boolean({ description: 'Whether every attempt of the last day failed' }),
  failing_since: timeOrEmptyField('First failed attempt since the last success', 'if there is none'),
  create_time: timeField(),
};

const secretField = Type.String({
  description: 'Signs the deliveries; shown only once',
  examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
});

export const Webhook = Type.Object(webhook, { title: 'Webhook' });
export type Webhook = Static<typeof Webhook>;
export const WebhookList = Type.Object({ list: Type.Array(Webhook) }, { title: 'WebhookList' });
export const CreatedWebhook = Type.Object({ ...webhook, secret: secretField }, { title: 'CreatedWebhook' });
export const UpdatedWebhook = Type.Object(
  { ...webhook, secret: Type.Optional(secretField) },
  { title: 'UpdatedWebhook' },
);

export const WebhookDeliveriesQuery = paginatedQuery({});
export const deliveryParams = Type.Object({ id: idField('webhook'), delivery_id: idField('delivery') });

const unknown = (description: string) =>
  Type.Unsafe<number | null>({ type: ['integer', 'null'], description });

export const WebhookDelivery = Type.Object(
  {
    id: Type.Integer(),
    event_id: Type.String({
      description: 'The header `webhook-id`, the same for all attempts and redeliveries',
      examples: ['evt_2mXl3v1nB5tYzR7w'],
    }),
    type: Type.String({ description: 'Type of the event', examples: ['photo.created'] }),
    status: choiceField(['pending', 'delivered', 'failed'], { title: 'DeliveryStatus' }),
    attempts: Type.Integer({ minimum: 0 }),
    response_status: unknown('HTTP status of the last response; null: there was no response'),
    duration_ms: unknown(
      'Duration of the last attempt until the response began; null: there was no response',
    ),
    error: Type.String({
      description: 'Reason why the last attempt failed, or ""',
      examples: ['The target responded with 500'],
    }),
    create_time: timeField(),
    last_attempt_time: timeOrEmptyField('Time of the last attempt', 'before the first attempt'),
    next_attempt_time: timeOrEmptyField('Time of the next attempt', 'if there is none'),
  },
  { title: 'Delivery' },
);
export type WebhookDelivery = Static<typeof WebhookDelivery>;
