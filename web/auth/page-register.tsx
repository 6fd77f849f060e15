/** Make an account; one is signed in at once. */
import { Link, useNavigate } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { t } from '../messages/messages.ts';
import { Card } from '../ui/card.tsx';
import { Field, Form, fieldErrorOf } from '../ui/form.tsx';
import { Page } from '../ui/page.tsx';
import { useRegister } from './queries.ts';

export function RegisterPage() {
  const register = useRegister();
  const navigate = useNavigate();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    const form = new FormData(event.currentTarget);
    const textOf = (name: string) => String(form.get(name));
    const given = { username: textOf('username'), email: textOf('email'), password: textOf('password') };
    register.mutate(given, { onSuccess: () => void navigate({ to: '/' }) });
  };
  const problemOf = fieldErrorOf(register.error);
  return (
    <Page title={t('register')}>
      <Card as="h1" title={t('register')}>
        <Form onSubmit={submit} error={register.error} isBusy={register.isPending} action={t('register')}>
          <Field
            name="username"
            label={t('username')}
            hint={t('usernameHint')}
            problem={problemOf('username')}
            minLength={3}
            maxLength={20}
            autoComplete="username"
            autoFocus
          />
          <Field
            name="email"
            label={t('email')}
            problem={problemOf('email')}
            type="email"
            autoComplete="email"
          />
          <Field
            name="password"
            label={t('password')}
            hint={t('passwordHint')}
            problem={problemOf('password')}
            type="password"
            minLength={6}
            maxLength={128}
            autoComplete="new-password"
          />
        </Form>
        <p>
          {t('haveAccount')} <Link to="/sign-in">{t('signIn')}</Link>
        </p>
      </Card>
    </Page>
  );
}
