/** The frame around every page: the top bar, and the notice about the rate limit. */
import { type ErrorComponentProps, Navigate, Outlet, useLocation, useMatches } from '@tanstack/react-router';
import { useIsVisitorOfMembers } from './auth/queries.ts';
import { Bar } from './bar.tsx';
import { t } from './messages/messages.ts';
import { ButtonLink } from './ui/button-link.tsx';
import { Card } from './ui/card.tsx';
import { ErrorNotice } from './ui/error-notice.tsx';
import { LoadingNotice } from './ui/loading-notice.tsx';
import { Page } from './ui/page.tsx';

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** Whether visitors of a gallery for members can open the page. */
    openToVisitors?: boolean;
  }
}

export function App() {
  const isRefused = useIsRefused();
  return (
    <>
      <a className="skip" href="#content">
        {t('skipToContent')}
      </a>
      <Bar />
      {isRefused ? <LeadToSignIn /> : <Outlet />}
      <LoadingNotice />
    </>
  );
}

/** Whether the viewer is a visitor of a gallery for members, on a page that is not open to visitors. */
function useIsRefused(): boolean {
  const isVisitor = useIsVisitorOfMembers();
  const isOpen = useMatches({ select: (all) => all.at(-1)?.staticData.openToVisitors === true });
  return isVisitor && !isOpen;
}

function LeadToSignIn() {
  const to = useLocation({ select: ({ href }) => href });
  return <Navigate to="/sign-in" search={to === '/' ? {} : { to }} replace />;
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
