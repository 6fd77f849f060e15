/** The frame around every page: the top bar, and the notice about the rate limit. */
import { type ErrorComponentProps, Outlet } from '@tanstack/react-router';
import { Bar } from './bar.tsx';
import { t } from './messages/messages.ts';
import { ButtonLink } from './ui/button-link.tsx';
import { Card } from './ui/card.tsx';
import { ErrorNotice } from './ui/error-notice.tsx';
import { LoadingNotice } from './ui/loading-notice.tsx';
import { Page } from './ui/page.tsx';

export function App() {
  return (
    <>
      <a className="skip" href="#content">
        {t('skipToContent')}
      </a>
      <Bar />
      <Outlet />
      <LoadingNotice />
    </>
  );
}

export function NotFound() {
  return (
    <Page title={t('notFoundTitle')}>
      <Card as="h1" title={t('notFoundTitle')} text={t('notFoundText')}>
        <ButtonLink to="/">{t('goToPhotos')}</ButtonLink>
      </Card>
    </Page>
  );
}

/** Shown when a page fails: an API call failed, or a script is missing after an update of the gallery. */
export function PageFailed({ error }: ErrorComponentProps) {
  return (
    <Page title={t('errorTitle')}>
      <ErrorNotice as="h1" error={error as Error} retry={() => location.reload()} />
    </Page>
  );
}
