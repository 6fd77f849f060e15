/** What did not work, in words, with what can be done about it. */
import { ApiError, offline } from '../api/client.ts';
import { t } from '../messages/messages.ts';
import styles from './error-notice.module.css';

interface Props {
  error: Error;
  /** The title's level: of a page that has nothing else to show, the first. */
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

/** The API's own words, where it has some for this. */
export function describeError(error: Error): string {
  // Scripts that did not come say nothing of the reason.
  if (!(error instanceof ApiError)) return t(navigator.onLine ? 'errorServer' : 'errorOffline');
  if (error.status === offline) return t('errorOffline');
  return error.status >= 500 || error.message === ''
    ? t('errorServer')
    : t('sentence', { text: error.message });
}
