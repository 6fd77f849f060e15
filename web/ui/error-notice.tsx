/** Shows what failed, and a button for another attempt. */
import { ApiError, offlineStatus } from '../api/client.ts';
import { t } from '../messages/messages.ts';
import styles from './error-notice.module.css';

interface Props {
  error: Error;
  /** Heading level of the title: `h1` on a page with no other content. */
  as?: 'h1' | 'h2';
  retry?: () => void;
}

export function ErrorNotice({ error, as: Title = 'h2', retry }: Props) {
  return (
    <div className={styles.trouble} role="alert">
      <Title>{t('errorTitle')}</Title>
      <p>{describeError(error)}</p>
      {retry && (
        <button className="button quiet" type="button" onClick={retry}>
          {t('retry')}
        </button>
      )}
    </div>
  );
}

/** Returns the API's message for an error, or a general one. */
export function describeError(error: Error): string {
  // A script that failed to load gives no reason.
  if (!(error instanceof ApiError)) return t(navigator.onLine ? 'errorServer' : 'errorOffline');
  if (error.status === offlineStatus) return t('errorOffline');
  return error.status >= 500 || error.message === ''
    ? t('errorServer')
    : t('sentence', { text: error.message });
}
