/** One's webhooks: make one, see how it does, pause and end it. */
import { useQuery } from '@tanstack/react-query';
import { t } from '../messages/messages.ts';
import { Section, Settings } from '../settings/settings.tsx';
import { Trouble } from '../ui/trouble.tsx';
import { NewWebhook } from './new-webhook.tsx';
import { webhooksQuery } from './queries.ts';
import { WebhookItem } from './webhook-item.tsx';
import styles from './webhooks.module.css';

export function WebhooksPage() {
  return (
    <Settings title={t('webhooks')}>
      {() => (
        <>
          <Section title={t('webhookNew')} text={t('webhooksText')}>
            <NewWebhook />
          </Section>
          <Section title={t('webhooksYours')}>
            <Webhooks />
          </Section>
        </>
      )}
    </Settings>
  );
}

function Webhooks() {
  const { data: webhooks, error, refetch } = useQuery(webhooksQuery);
  if (error) return <Trouble error={error} retry={() => void refetch()} />;
  if (!webhooks) return <p className={styles.text}>{t('loading')}</p>;
  if (webhooks.length === 0) return <p className={styles.text}>{t('webhooksNone')}</p>;
  return (
    <ul className={styles.list}>
      {webhooks.map((webhook) => (
        <WebhookItem key={webhook.id} webhook={webhook} />
      ))}
    </ul>
  );
}
