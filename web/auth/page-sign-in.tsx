/** Sign in, with a session in a cookie. */
import { Link, useRouter, useSearch } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { t } from '../messages/messages.ts';
import { Card } from '../ui/card.tsx';
import { Field, Form, fieldErrorOf } from '../ui/form.tsx';
import { Page } from '../ui/page.tsx';
import { useSignIn } from './queries.ts';
import { safePath } from './way-back.ts';

export function SignInPage() {
  const signIn = useSignIn();
  const { history } = useRouter();
  const { to } = useSearch({ from: '/sign-in' });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    const form = new FormData(event.currentTarget);
    const given = { username: String(form.get('username')), password: String(form.get('password')) };
    signIn.mutate(given, { onSuccess: () => history.push(safePath(to, location.origin)) });
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
        <p>
          {t('noAccount')}{' '}
          <Link to="/register" search={{ to }}>
            {t('register')}
          </Link>
        </p>
      </Card>
    </Page>
  );
}
