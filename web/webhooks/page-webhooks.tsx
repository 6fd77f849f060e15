/** The page with the user's webhooks: create, see the status, pause, delete. */
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { t } from '../messages/messages.ts';
import { SettingsPage, SettingsSection } from '../settings/settings.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { NewWebhookForm } from './new-webhook.tsx';
import { webhooksQuery } from './queries.ts';
import styles from './webhooks.module.css';

/** Most users have no webhook, so the script is loaded on demand. */
const WebhookItem = lazy(() => import('./webhook-item.tsx').then((part) => ({ default: part.WebhookItem })));

export function WebhooksPage() {
  return (
    <SettingsPage at="/settings/webhooks">
      {() => (
        <>
          <SettingsSection title={t('webhookNew')} text={t('webhooksText')}>
            <NewWebhookForm />
          </SettingsSection>
          <SettingsSection title={t('yourWebhooks')}>
            <WebhookList />
          </SettingsSection>
        </>
      )}
    </SettingsPage>
  );
}

function WebhookList() {
  const { data: webhooks, error, refetch } = useQuery(webhooksQuery);
  if (error) return <ErrorNotice error={error} retry={() => void refetch()} />;
  if (!webhooks) return <p className={styles.text}>{t('loading')}</p>;
  if (webhooks.length === 0) return <p className={styles.text}>{t('noWebhooks')}</p>;
  return (
    <Suspense fallback={<p className={styles.text}>{t('loading')}</p>}>
      <ul className={styles.list}>
        {webhooks.map((webhook) => (
          <WebhookItem key={webhook.id} webhook={webhook} />
        ))}
      </ul>
    </Suspense>
  );
}
