/**
 * The end of an OpenID sign-in that began in another tab's dialog; the interrupted action continues there.
 */
import { useEffect } from 'react';
import { sessionRenewal } from '../api/session-renewal.ts';
import { useUser } from '../auth/queries.ts';
import { SignInRequired } from '../auth/sign-in-required.tsx';
import { t } from '../messages/messages.ts';
import { Card } from '../ui/card.tsx';
import { Page } from '../ui/page.tsx';

export function SignedInPage() {
  const user = useUser();
  useEffect(() => {
    if (user) sessionRenewal.announceSignIn(user.id);
  }, [user]);
  if (!user) return <SignInRequired title={t('signIn')} />;
  return (
    <Page title={t('signedInTitle')}>
      <Card as="h1" title={t('signedInTitle')} text={t('signedInText')} />
    </Page>
  );
}
