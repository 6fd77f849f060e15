/** Rows of the rights table for webhooks, which only their owner can use. */
import { type Codes, type Row, signedIn } from './rights.ts';

const own: Codes = [401, 70001, 0, 10006, 70001];
const hook = { url: 'https://example.org/hook', events: ['photo.created'] };

export const webhookRows: Row[] = [
  { endpoint: 'GET /api/webhooks', codes: signedIn, ask: (who) => who.get('/api/webhooks') },
  { endpoint: 'POST /api/webhooks', codes: signedIn, ask: (who) => who.post('/api/webhooks', hook) },
  {
    endpoint: 'GET /api/webhooks/{id}',
    codes: own,
    ask: (who, { webhook }) => who.get(`/api/webhooks/${webhook}`),
  },
  {
    endpoint: 'PUT /api/webhooks/{id}',
    codes: own,
    ask: (who, { webhook }) => who.put(`/api/webhooks/${webhook}`, { description: 'changed' }),
  },
  {
    endpoint: 'DELETE /api/webhooks/{id}',
    codes: own,
    ask: (who, { webhook }) => who.delete(`/api/webhooks/${webhook}`),
  },
  {
    endpoint: 'POST /api/webhooks/{id}/test',
    codes: own,
    ask: (who, { webhook }) => who.post(`/api/webhooks/${webhook}/test`),
  },
  {
    endpoint: 'GET /api/webhooks/{id}/deliveries',
    codes: own,
    ask: (who, { webhook }) => who.get(`/api/webhooks/${webhook}/deliveries`),
  },
  {
    endpoint: 'POST /api/webhooks/{id}/deliveries/{delivery_id}/redeliver',
    codes: own,
    ask: (who, { webhook, delivery }) =>
      who.post(`/api/webhooks/${webhook}/deliveries/${delivery}/redeliver`),
  },
];
