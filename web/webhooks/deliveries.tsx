/** The deliveries of a webhook, newest first, with the responses of its target. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { WebhookDelivery } from '../api/types.ts';
import { type MessageKey, t } from '../messages/messages.ts';
import { describeError } from '../ui/error-notice.tsx';
import { formatDateTime } from '../ui/time.ts';
import { webhookDeliveriesQuery } from './queries.ts';
import styles from './webhooks.module.css';

interface Props {
  id: number;
  mayResend: boolean;
  send(delivery: number): void;
}

const labelByStatus: Record<WebhookDelivery['status'], MessageKey> = {
  pending: 'webhookPending',
  delivered: 'webhookDelivered',
  failed: 'webhookFailed',
};

export function WebhookDeliveryList({ id, mayResend, send }: Props) {
  const [page, setPage] = useState(1);
  const { data, error, refetch, isFetching } = useQuery(webhookDeliveriesQuery(id, page));
  return (
    <div className={styles.deliveries}>
      <div className={styles.actions}>
        <h3>{t('webhookDeliveries')}</h3>
        <button className="button quiet" type="button" aria-busy={isFetching} onClick={() => void refetch()}>
          {t('webhookRefresh')}
        </button>
      </div>
      {error && (
        <p className={styles.problem} role="alert">
          {describeError(error)}
        </p>
      )}
      {data?.list.length === 0 && <p className={styles.facts}>{t('noDeliveries')}</p>}
      {data && data.list.length > 0 && (
        <ol>
          {data.list.map((delivery) => (
            <li key={delivery.id}>
              <p>
                <code>{delivery.type}</code>{' '}
                <span className={delivery.status === 'failed' ? styles.bad : styles.mark}>
                  {t(labelByStatus[delivery.status])}
                </span>
              </p>
              <p className={styles.facts}>{describeDelivery(delivery)}</p>
              {mayResend && delivery.status !== 'pending' && (
                <button className="button quiet" type="button" onClick={() => send(delivery.id)}>
                  {t('webhookResend')}
                </button>
              )}
            </li>
          ))}
        </ol>
      )}
      {data && data.pagination.pages > 1 && (
        <div className={styles.actions}>
          {page > 1 && (
            <button className="button quiet" type="button" onClick={() => setPage(page - 1)}>
              {t('webhookNewer')}
            </button>
          )}
          {page < data.pagination.pages && (
            <button className="button quiet" type="button" onClick={() => setPage(page + 1)}>
              {t('webhookOlder')}
            </button>
          )}
        </div>
      )}
    </div>
  );
}

function describeDelivery(delivery: WebhookDelivery): string {
  const { create_time, attempts, response_status, duration_ms, error, next_attempt_time } = delivery;
  return [
    formatDateTime(create_time),
    attempts > 1 && t('webhookAttempts', { count: attempts }),
    response_status !== null && t('webhookResponse', { status: String(response_status) }),
    duration_ms !== null && t('webhookTook', { ms: duration_ms }),
    error,
    next_attempt_time && t('webhookNext', { time: formatDateTime(next_attempt_time) }),
  ]
    .filter(Boolean)
    .join(' · ');
}
