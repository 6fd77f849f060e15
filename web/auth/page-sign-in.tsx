/** Sign in, with a session in a cookie. */
import { Link, useSearch } from '@tanstack/react-router';
import { KeyRound } from 'lucide-react';
import type { FormEvent } from 'react';
import { t } from '../messages/messages.ts';
import { Card } from '../ui/card.tsx';
import { Field, Form, fieldErrorOf } from '../ui/form.tsx';
import { Page } from '../ui/page.tsx';
import { textOf } from '../ui/trouble.tsx';
import { canUsePasskeys } from './passkeys.ts';
import { usePasskeySignIn, useSignIn, useSite } from './queries.ts';
import styles from './sign-in.module.css';
import { useArrive } from './use-arrive.ts';

export function SignInPage() {
  const signIn = useSignIn();
  const byPasskey = usePasskeySignIn();
  const site = useSite();
  const arrive = useArrive();
  const { to } = useSearch({ from: '/sign-in' });
  const goBack = { onSuccess: () => arrive(to) };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    const form = new FormData(event.currentTarget);
    const given = { username: String(form.get('username')), password: String(form.get('password')) };
    signIn.mutate(given, goBack);
  };
  const problemOf = fieldErrorOf(signIn.error);
  return (
    <Page title={t('signIn')}>
      <Card as="h1" title={t('signIn')}>
        <Form onSubmit={submit} error={signIn.error} isBusy={signIn.isPending} action={t('signIn')}>
          <Field
            name="username"
            label={t('usernameOrEmail')}
            problem={problemOf('username')}
            autoComplete="username"
            autoFocus
          />
          <Field
            name="password"
            label={t('password')}
            problem={problemOf('password')}
            type="password"
            autoComplete="current-password"
          />
        </Form>
        {site?.sign_in.passkey && canUsePasskeys() && (
          <Other
            label={t('passkeySignIn')}
            isBusy={byPasskey.isPending}
            error={byPasskey.error}
            onClick={() => byPasskey.mutate(undefined, goBack)}
          />
        )}
        {site?.registration === 'open' && (
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

interface OtherProps {
  label: string;
  isBusy: boolean;
  error: Error | null;
  onClick(): void;
}

/** Another way than a password. */
function Other({ label, isBusy, error, onClick }: OtherProps) {
  return (
    <div className={styles.other}>
      <span className={styles.or}>{t('signInOr')}</span>
      <button className="button quiet" type="button" aria-busy={isBusy} onClick={onClick}>
        <KeyRound size={18} aria-hidden="true" />
        {label}
      </button>
      {error && (
        <p className={styles.problem} role="alert">
          {textOf(error)}
        </p>
      )}
    </div>
  );
}
