/** Sign in, with a session in a cookie: by a password, elsewhere, or with a passkey, as the gallery offers. */
import { Link, useSearch } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { t } from '../messages/messages.ts';
import { Card } from '../ui/card.tsx';
import { Form } from '../ui/form.tsx';
import { Page } from '../ui/page.tsx';
import { challengeOf, useSecondStep, useSignIn } from './entrance/queries.ts';
import { OtherWays } from './other-ways.tsx';
import { useSite } from './queries.ts';
import { SecondStep } from './second-step.tsx';
import { credentialsOf, SignInFields } from './sign-in-fields.tsx';
import { useArrive } from './use-arrive.ts';

export function SignInPage() {
  const site = useSite();
  const { to } = useSearch({ from: '/sign-in' });
  return (
    <Page title={t('signIn')}>
      <Card as="h1" title={t('signIn')}>
        {site?.sign_in.password !== false && <PasswordForm to={to} />}
        {site && <OtherWays site={site} to={to} />}
        {site?.registration === 'open' && site.sign_in.password && (
          <p>
            {t('noAccount')}{' '}
            <Link to="/register" search={{ to }}>
              {t('register')}
            </Link>
          </p>
        )}
      </Card>
    </Page>
  );
}

function PasswordForm({ to }: { to: string | undefined }) {
  const signIn = useSignIn();
  const step = useSecondStep();
  const arrive = useArrive();
  const site = useSite();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    signIn.mutate(credentialsOf(event.currentTarget), { onSuccess: () => arrive(to) });
  };
  const challenge = challengeOf(signIn.error);
  if (challenge !== undefined) {
    return (
      <SecondStep
        error={step.error}
        isBusy={step.isPending}
        onCode={(code) => step.mutate({ challenge, code }, { onSuccess: () => arrive(to) })}
        onBack={() => signIn.reset()}
      />
    );
  }
  return (
    <>
      <Form onSubmit={submit} error={signIn.error} isBusy={signIn.isPending} action={t('signIn')}>
        <SignInFields error={signIn.error} />
      </Form>
      {site?.mail && (
        <p>
          <Link to="/forgot">{t('forgotLink')}</Link>
        </p>
      )}
    </>
  );
}
