/** Queries and changes of webhooks and their deliveries. */
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { callApi } from '../api/client.ts';
import type { NewWebhook, PagedResponse, Webhook, WebhookChange, WebhookDelivery } from '../api/types.ts';

export const webhooksQuery = queryOptions({
  queryKey: ['webhooks'],
  queryFn: async ({ signal }) =>
    (await callApi<{ list: Webhook[] }>('GET', '/api/webhooks', { signal })).list,
});

type WebhookWithSecret = Webhook & { secret?: string };

/** Caches a webhook without its secret. */
function cacheWebhook(client: QueryClient, { secret: _, ...webhook }: WebhookWithSecret): void {
  client.setQueryData(webhooksQuery.queryKey, (all) => {
    if (!all?.some(({ id }) => id === webhook.id)) return all && [...all, webhook];
    return all.map((one) => (one.id === webhook.id ? webhook : one));
  });
}

export function useCreateWebhook() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (wanted: NewWebhook) =>
      callApi<Webhook & { secret: string }>('POST', '/api/webhooks', { body: wanted }),
    gcTime: 0,
    onSuccess: (made) => cacheWebhook(client, made),
  });
}

export function useUpdateWebhook(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (change: WebhookChange) =>
      callApi<WebhookWithSecret>('PUT', `/api/webhooks/${id}`, { body: change }),
    gcTime: 0,
    onSuccess: (changed) => cacheWebhook(client, changed),
  });
}

export function useDeleteWebhook(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => callApi<unknown>('DELETE', `/api/webhooks/${id}`),
    onSuccess: () =>
      client.setQueryData(webhooksQuery.queryKey, (all) => all?.filter((one) => one.id !== id)),
  });
}

const perPage = 20;

export const webhookDeliveriesQuery = (id: number, page: number) =>
  queryOptions({
    queryKey: ['webhooks', id, 'deliveries', page],
    queryFn: ({ signal }) =>
      callApi<PagedResponse<WebhookDelivery>>('GET', `/api/webhooks/${id}/deliveries`, {
        query: { page, limit: perPage },
        signal,
      }),
    // A running delivery is done within moments, so the list is reloaded whenever it opens.
    staleTime: 0,
  });

/** Sends a test event to the webhook, or an event again. */
export function useSendTestEvent(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (delivery: number | 'test') =>
      callApi<WebhookDelivery>(
        'POST',
        delivery === 'test'
          ? `/api/webhooks/${id}/test`
          : `/api/webhooks/${id}/deliveries/${delivery}/redeliver`,
      ),
    onSuccess: () => client.invalidateQueries({ queryKey: ['webhooks', id, 'deliveries'] }),
  });
}
