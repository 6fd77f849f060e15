/** Make an account; one is signed in at once. */
import { Link, useNavigate } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { t } from '../messages/messages.ts';
import { Card } from '../ui/card.tsx';
import { Form } from '../ui/form.tsx';
import { Page } from '../ui/page.tsx';
import { AccountFields, registrationOf } from './account-fields.tsx';
import { useRegister } from './queries.ts';

export function RegisterPage() {
  const register = useRegister();
  const navigate = useNavigate();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    register.mutate(registrationOf(event.currentTarget), { onSuccess: () => void navigate({ to: '/' }) });
  };
  return (
    <Page title={t('register')}>
      <Card as="h1" title={t('register')}>
        <Form onSubmit={submit} error={register.error} isBusy={register.isPending} action={t('register')}>
          <AccountFields error={register.error} />
        </Form>
        <p>
          {t('haveAccount')} <Link to="/sign-in">{t('signIn')}</Link>
        </p>
      </Card>
    </Page>
  );
}
