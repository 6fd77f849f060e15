/** Make an account; one is signed in at once. */
import { Link, useRouter, useSearch } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { t } from '../messages/messages.ts';
import { Card } from '../ui/card.tsx';
import { Form } from '../ui/form.tsx';
import { Page } from '../ui/page.tsx';
import { AccountFields, registrationOf } from './account-fields.tsx';
import { useRegister } from './queries.ts';
import { safePath } from './way-back.ts';

export function RegisterPage() {
  const register = useRegister();
  const { history } = useRouter();
  const { to } = useSearch({ from: '/register' });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    register.mutate(registrationOf(event.currentTarget), {
      onSuccess: () => history.push(safePath(to, location.origin)),
    });
  };
  return (
    <Page title={t('register')}>
      <Card as="h1" title={t('register')}>
        <Form onSubmit={submit} error={register.error} isBusy={register.isPending} action={t('register')}>
          <AccountFields error={register.error} />
        </Form>
        <p>
          {t('haveAccount')}{' '}
          <Link to="/sign-in" search={{ to }}>
            {t('signIn')}
          </Link>
        </p>
      </Card>
    </Page>
  );
}
