/**
 * Requests a password reset link by email. The page never reveals whether an account has the email address.
 */
import type { FormEvent } from 'react';
import { t } from '../messages/messages.ts';
import { Card } from '../ui/card.tsx';
import { createFieldErrorLookup, Field, Form } from '../ui/form.tsx';
import { Page } from '../ui/page.tsx';
import { PasswordsDisabled, useHasPasswordSignIn } from './passwords-disabled.tsx';
import { useSite } from './queries.ts';
import { useRequestPasswordReset } from './sign-in/queries.ts';

export function ForgotPasswordPage() {
  const forgot = useRequestPasswordReset();
  const hasMail = useSite()?.mail !== false;
  const hasPasswords = useHasPasswordSignIn();
  const submit = (event: FormEvent<HTMLFormElement>) =>
    forgot.mutate(String(new FormData(event.currentTarget).get('email')));
  const title = t('forgotTitle');
  if (!hasPasswords) return <PasswordsDisabled title={title} />;
  if (forgot.isSuccess || !hasMail) {
    return (
      <Page title={title}>
        <Card as="h1" title={title}>
          <p role="status">{t(hasMail ? 'forgotSent' : 'forgotAskAdmin')}</p>
        </Card>
      </Page>
    );
  }
  return (
    <Page title={title}>
      <Card as="h1" title={title} text={t('forgotText')}>
        <Form onSubmit={submit} error={forgot.error} isBusy={forgot.isPending} action={t('forgotSendLink')}>
          <Field
            name="email"
            label={t('email')}
            problem={createFieldErrorLookup(forgot.error)('email')}
            type="email"
            autoComplete="email"
            autoFocus
          />
        </Form>
      </Card>
    </Page>
  );
}
