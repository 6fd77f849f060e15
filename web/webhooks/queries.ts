/** Webhooks: where the gallery tells of what happens, and how that went. */
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import type { Delivery, NewWebhook, Paged, Webhook, WebhookChange } from '../api/types.ts';

export const webhooksQuery = queryOptions({
  queryKey: ['webhooks'],
  queryFn: async ({ signal }) => (await call<{ list: Webhook[] }>('GET', '/api/webhooks', { signal })).list,
});

type WithSecret = Webhook & { secret?: string };

/** The secret is in nothing that is kept. */
function keep(client: QueryClient, { secret: _, ...webhook }: WithSecret): void {
  client.setQueryData(webhooksQuery.queryKey, (all) => {
    if (!all?.some(({ id }) => id === webhook.id)) return all && [...all, webhook];
    return all.map((one) => (one.id === webhook.id ? webhook : one));
  });
}

export function useMakeWebhook() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (wanted: NewWebhook) =>
      call<Webhook & { secret: string }>('POST', '/api/webhooks', { body: wanted }),
    gcTime: 0,
    onSuccess: (made) => keep(client, made),
  });
}

export function useChangeWebhook(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (change: WebhookChange) => call<WithSecret>('PUT', `/api/webhooks/${id}`, { body: change }),
    gcTime: 0,
    onSuccess: (changed) => keep(client, changed),
  });
}

export function useDeleteWebhook(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call<unknown>('DELETE', `/api/webhooks/${id}`),
    onSuccess: () =>
      client.setQueryData(webhooksQuery.queryKey, (all) => all?.filter((one) => one.id !== id)),
  });
}

const perPage = 20;

export const deliveriesOf = (id: number, page: number) =>
  queryOptions({
    queryKey: ['webhooks', id, 'deliveries', page],
    queryFn: ({ signal }) =>
      call<Paged<Delivery>>('GET', `/api/webhooks/${id}/deliveries`, {
        query: { page, limit: perPage },
        signal,
      }),
    // What is under way is over in a moment: whoever opens the list sees what is true now.
    staleTime: 0,
  });

/** Sends a test, or an event once more. */
export function useSend(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (delivery: number | 'test') =>
      call<Delivery>(
        'POST',
        delivery === 'test'
          ? `/api/webhooks/${id}/test`
          : `/api/webhooks/${id}/deliveries/${delivery}/redeliver`,
      ),
    onSuccess: () => client.invalidateQueries({ queryKey: ['webhooks', id, 'deliveries'] }),
  });
}
