/** Inputs and outputs of the webhook endpoints. What is delivered: events.ts. */
import { type Static, Type } from 'typebox';
import { pageQuery } from '../http/pagination.ts';
import { flagField, idField, textField } from '../http/schema.ts';
import { type EventName, eventNames } from './events.ts';
import { mostUrlLength } from './target.ts';

const eventsField = Type.Array(Type.Unsafe<EventName>({ type: 'string', enum: [...eventNames] }), {
  minItems: 1,
  maxItems: eventNames.length,
  uniqueItems: true,
  description: 'What it listens to',
});

const urlField = Type.String({
  ...textField(mostUrlLength, 'Where to deliver, http or https; not in a private network, not by redirect'),
  minLength: 1,
});
const descriptionField = textField(200, 'What it is for');
const activeField = flagField('0: nothing is delivered, and what happens meanwhile is not delivered later');

export const MakeWebhook = Type.Object(
  {
    url: urlField,
    events: eventsField,
    description: Type.Optional(descriptionField),
    is_active: Type.Optional(activeField),
  },
  { examples: [{ url: 'https://example.org/hooks', events: ['photo.created', 'comment.created'] }] },
);
export type MakeWebhook = Static<typeof MakeWebhook>;

export const ChangeWebhook = Type.Object(
  {
    url: Type.Optional(urlField),
    events: Type.Optional(eventsField),
    description: Type.Optional(descriptionField),
    is_active: Type.Optional(activeField),
    rotate_secret: Type.Optional(
      Type.Boolean({
        description: 'true: makes a new secret, shown in the answer; the old one ends at once',
      }),
    ),
  },
  { examples: [{ events: ['photo.deleted'], is_active: 1 }] },
);
export type ChangeWebhook = Static<typeof ChangeWebhook>;

const webhook = {
  id: Type.Integer(),
  url: Type.String(),
  events: Type.Array(Type.String()),
  description: Type.String(),
  is_active: Type.Integer({ description: '0 or 1' }),
  disabled_reason: Type.String({ description: '"gone": the target answered 410, which ended it; else ""' }),
  is_failing: Type.Boolean({ description: 'Every attempt of the last day failed' }),
  failing_since: Type.String({
    description: 'The first of the attempts that failed since the last success, or ""',
  }),
  create_time: Type.String(),
};

const secretField = Type.String({
  description: 'Signs the deliveries; shown this once',
  examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
});

export const Webhook = Type.Object(webhook);
export type Webhook = Static<typeof Webhook>;
export const WebhookList = Type.Object({ list: Type.Array(Webhook) });
export const MadeWebhook = Type.Object({ ...webhook, secret: secretField });
export const ChangedWebhook = Type.Object({ ...webhook, secret: Type.Optional(secretField) });

export const DeliveriesQuery = pageQuery({});
export const deliveryParams = Type.Object({ id: idField('webhook'), delivery_id: idField('delivery') });

const unknown = (description: string) =>
  Type.Unsafe<number | null>({ type: ['integer', 'null'], description });

export const Delivery = Type.Object({
  id: Type.Integer(),
  event_id: Type.String({
    description: 'The header `webhook-id`, the same at every attempt and when delivered anew',
  }),
  type: Type.String({ description: 'Of the event' }),
  status: Type.Unsafe<'pending' | 'delivered' | 'failed'>({
    type: 'string',
    enum: ['pending', 'delivered', 'failed'],
  }),
  attempts: Type.Integer({ minimum: 0 }),
  response_status: unknown('HTTP status of the last answer; null: there was none'),
  duration_ms: unknown('Of the last attempt, until the answer began; null: there was none'),
  error: Type.String({ description: 'Why the last attempt failed, or ""' }),
  create_time: Type.String(),
  last_attempt_time: Type.String({ description: '"" before the first one' }),
  next_attempt_time: Type.String({ description: '"" when there will be none' }),
});
export type Delivery = Static<typeof Delivery>;
