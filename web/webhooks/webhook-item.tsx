/** A webhook: its events, its status and its actions. */
import { useState } from 'react';
import type { Webhook } from '../api/types.ts';
import { t } from '../messages/messages.ts';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { describeError } from '../ui/error-notice.tsx';
import { formatDate } from '../ui/time.ts';
import { WebhookDeliveryList } from './deliveries.tsx';
import { webhookEvents } from './events.ts';
import { WebhookSecret } from './new-webhook.tsx';
import { useDeleteWebhook, useSendTestEvent, useUpdateWebhook } from './queries.ts';
import styles from './webhooks.module.css';

export function WebhookItem({ webhook }: { webhook: Webhook }) {
  const { id, url, description, is_active: isActive, create_time } = webhook;
  const change = useUpdateWebhook(id);
  const remove = useDeleteWebhook(id);
  const send = useSendTestEvent(id);
  const [isOpen, setOpen] = useState(false);
  const error = change.error ?? remove.error ?? send.error;
  const heard = webhookEvents
    .filter(({ name }) => webhook.events.includes(name))
    .map(({ label }) => t(label));
  return (
    <li className={styles.webhook}>
      <p className={styles.name}>
        <span>{url}</span>
        <WebhookState webhook={webhook} />
      </p>
      {description && <p dir="auto">{description}</p>}
      <p className={styles.facts}>
        {[...heard, t('webhookCreated', { time: formatDate(create_time) })].join(' · ')}
      </p>
      {change.data?.secret && <WebhookSecret secret={change.data.secret} />}
      {error && (
        <p className={styles.problem} role="alert">
          {describeError(error)}
        </p>
      )}
      <div className={styles.actions}>
        <button
          className="button quiet"
          type="button"
          aria-expanded={isOpen}
          onClick={() => setOpen((is) => !is)}
        >
          {t('webhookDeliveries')}
        </button>
        {isActive === 1 && (
          <button
            className="button quiet"
            type="button"
            aria-busy={send.isPending}
            onClick={() => send.mutate('test', { onSuccess: () => setOpen(true) })}
          >
            {t('webhookTest')}
          </button>
        )}
        <button
          className="button quiet"
          type="button"
          aria-busy={change.isPending}
          onClick={() => change.mutate({ is_active: isActive === 1 ? 0 : 1 })}
        >
          {t(isActive === 1 ? 'webhookPause' : 'webhookResume')}
        </button>
        <ConfirmButton
          label={t('webhookReplaceSecret')}
          question={t('webhookReplaceSecretQuestion')}
          onConfirm={() => change.mutate({ rotate_secret: true })}
        />
        <ConfirmButton
          label={t('delete')}
          question={t('webhookDeleteQuestion')}
          isBusy={remove.isPending}
          onConfirm={() => remove.mutate()}
        />
      </div>
      {isOpen && <WebhookDeliveryList id={id} send={send.mutate} mayResend={isActive === 1} />}
    </li>
  );
}

function WebhookState({ webhook: { is_active, is_failing, disabled_reason } }: { webhook: Webhook }) {
  if (disabled_reason === 'gone') return <span className={styles.bad}>{t('webhookDisabled')}</span>;
  if (is_active === 0) return <span className={styles.mark}>{t('webhookPaused')}</span>;
  if (is_failing) return <span className={styles.bad}>{t('webhookFailing')}</span>;
  return <span className={styles.mark}>{t('webhookActive')}</span>;
}
