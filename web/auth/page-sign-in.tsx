/** The sign-in page: password, OpenID provider or passkey, as the gallery offers. The session is a cookie. */
import { Link, useLocation, useNavigate, useSearch } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import type { Site } from '../api/types.ts';
import { t } from '../messages/messages.ts';
import { Card } from '../ui/card.tsx';
import { Form } from '../ui/form.tsx';
import { Page } from '../ui/page.tsx';
import { OtherSignInMethods } from './other-sign-in-methods.tsx';
import { useSite } from './queries.ts';
import { SecondStepForm } from './second-step.tsx';
import { readSecondStepChallenge, useSecondSignInStep, useSignIn } from './sign-in/queries.ts';
import styles from './sign-in.module.css';
import { readSignInCredentials, SignInFields } from './sign-in-fields.tsx';
import { useGoAfterSignIn } from './use-go-after-sign-in.ts';

export function SignInPage() {
  const { to, problem } = useSearch({ from: '/sign-in' });
  const { hash } = useLocation();
  // The hash holds the challenge and, for the first admin, the setup code that is used afterwards.
  const [challenge = '', setup] = hash.split('.');
  const navigate = useNavigate();
  return (
    <Page title={t('signIn')}>
      <Card as="h1" title={t('signIn')}>
        {problem === 'second' ? (
          // The OpenID provider identified the user, and the account has a second factor.
          <SecondFactorForm
            challenge={challenge}
            to={setup === undefined ? to : `/first-run#${setup}`}
            isConnecting
            onBack={() =>
              void (setup === undefined
                ? navigate({ to: '/sign-in', search: { to }, hash: '' })
                : navigate({ to: '/first-run', hash: setup }))
            }
          />
        ) : (
          <FirstSignInStep to={to} />
        )}
      </Card>
    </Page>
  );
}

interface Props {
  to: string | undefined;
}

function FirstSignInStep({ to }: Props) {
  const site = useSite();
  return (
    <>
      {site?.welcome && <p className={styles.welcome}>{site.welcome}</p>}
      {site && <VisitorNotice site={site} />}
      {site?.sign_in.password !== false && <PasswordForm to={to} />}
      {site && <OtherSignInMethods site={site} to={to} />}
      {site?.registration === 'open' && site.sign_in.password && (
        <p>
          {t('noAccount')}{' '}
          <Link to="/register" search={{ to }}>
            {t('createAccount')}
          </Link>
        </p>
      )}
    </>
  );
}

/** Tells a visitor of a gallery for members why the sign-in page opens first. */
function VisitorNotice({ site: { access, has_users, name } }: { site: Site }) {
  if (access !== 'members') return null;
  return <p>{has_users ? t('membersOnly', { name }) : t('noAccountsYet')}</p>;
}

function PasswordForm({ to }: Props) {
  const signIn = useSignIn();
  const arrive = useGoAfterSignIn();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    signIn.mutate(readSignInCredentials(event.currentTarget), { onSuccess: () => arrive(to) });
  };
  const challenge = readSecondStepChallenge(signIn.error);
  if (challenge !== undefined)
    return <SecondFactorForm challenge={challenge} to={to} onBack={() => signIn.reset()} />;
  return (
    <>
      <Form onSubmit={submit} error={signIn.error} isBusy={signIn.isPending} action={t('signIn')}>
        <SignInFields error={signIn.error} />
      </Form>
      <p>
        <Link to="/forgot">{t('forgotLink')}</Link>
      </p>
    </>
  );
}

interface SecondFactorProps extends Props {
  challenge: string;
  /** True if the code also connects the provider's identity with the account. */
  isConnecting?: boolean;
  onBack(): void;
}

function SecondFactorForm({ challenge, to, isConnecting, onBack }: SecondFactorProps) {
  const step = useSecondSignInStep();
  const provider = useSite()?.sign_in.oidc?.name ?? '';
  const arrive = useGoAfterSignIn();
  return (
    <SecondStepForm
      {...(isConnecting && { about: t('verificationConnects', { provider }) })}
      error={step.error}
      isBusy={step.isPending}
      onCode={(code) => step.mutate({ challenge, code }, { onSuccess: () => arrive(to) })}
      onBack={onBack}
    />
  );
}
