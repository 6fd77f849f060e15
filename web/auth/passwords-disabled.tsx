/** Replaces password forms in a gallery without passwords (PASSWORD_LOGIN=0), which would refuse the form. */
import { t } from '../messages/messages.ts';
import { ButtonLink } from '../ui/button-link.tsx';
import { Card } from '../ui/card.tsx';
import { Page } from '../ui/page.tsx';
import { useSite } from './queries.ts';

/** Returns true also until the gallery's settings are known. */
export const useHasPasswordSignIn = (): boolean => useSite()?.sign_in.password !== false;

export function PasswordsDisabled({ title }: { title: string }) {
  const name = useSite()?.sign_in.oidc?.name ?? '';
  return (
    <Page title={title}>
      <Card as="h1" title={title} text={t('passwordsNotUsed', { name })}>
        <ButtonLink to="/sign-in">{t('signIn')}</ButtonLink>
      </Card>
    </Page>
  );
}
