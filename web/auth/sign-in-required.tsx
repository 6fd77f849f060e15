/** Replaces a page that needs an account: a link to sign in and return to the page. */
import { useLocation } from '@tanstack/react-router';
import { t } from '../messages/messages.ts';
import { ButtonLink } from '../ui/button-link.tsx';
import { Card } from '../ui/card.tsx';
import { Page } from '../ui/page.tsx';

export function SignInRequired({ title }: { title: string }) {
  const to = useLocation({ select: ({ href }) => href });
  return (
    <Page title={title}>
      <Card as="h1" title={title} text={t('signInToView')}>
        <ButtonLink to="/sign-in" search={{ to }}>
          {t('signIn')}
        </ButtonLink>
      </Card>
    </Page>
  );
}
