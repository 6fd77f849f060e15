/** The frame around every page: the top bar, and the notice about the rate limit. */
import { type ErrorComponentProps, Outlet, useMatches, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useIsMembersOnlyVisitor } from './auth/queries.ts';
import { visitorPages } from './auth/visitor-pages.ts';
import { NavigationBar } from './bar.tsx';
import { t } from './messages/messages.ts';
import { Navigation } from './navigation/navigation.tsx';
import { ButtonLink } from './ui/button-link.tsx';
import { Card } from './ui/card.tsx';
import { ErrorNotice } from './ui/error-notice.tsx';
import { Page } from './ui/page.tsx';
import { RateLimitNotice } from './ui/rate-limit-notice.tsx';

export function App() {
  const isRefused = useIsRefused();
  return (
    <>
      <a className="skip" href="#content">
        {t('skipToContent')}
      </a>
      <NavigationBar />
      <Navigation />
      {isRefused ? <LeadToSignIn /> : <Outlet />}
      <RateLimitNotice />
    </>
  );
}

/** Whether the viewer is a visitor of a gallery for members, on a page that is not open to visitors. */
function useIsRefused(): boolean {
  const isVisitor = useIsMembersOnlyVisitor();
  const route = useMatches({ select: (all) => all.at(-1)?.fullPath ?? '' });
  return isVisitor && !visitorPages.includes(route);
}

/** Opens the sign-in page once. A component that navigates while it renders would navigate again before the page opens. */
function LeadToSignIn() {
  const router = useRouter();
  useEffect(() => {
    const to = router.latestLocation.href;
    void router.navigate({ to: '/sign-in', search: to === '/' ? {} : { to }, replace: true });
  }, [router]);
  return null;
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
