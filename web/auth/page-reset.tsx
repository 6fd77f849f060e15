/** The page that a password reset link opens: the user chooses a new password and signs in with it. */
import { Link } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { t } from '../messages/messages.ts';
import { Card } from '../ui/card.tsx';
import { Switch } from '../ui/fields.tsx';
import { createFieldErrorLookup, Field, Form, maxPasswordLength } from '../ui/form.tsx';
import { Page } from '../ui/page.tsx';
import { PasswordsDisabled, useHasPasswordSignIn } from './passwords-disabled.tsx';
import { useMinPasswordLength } from './queries.ts';
import { useResetPassword } from './sign-in/queries.ts';
import { useLinkCode } from './use-link-code.ts';

export function ResetPasswordPage() {
  const token = useLinkCode();
  const reset = useResetPassword();
  const least = useMinPasswordLength();
  const hasPasswords = useHasPasswordSignIn();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    const form = new FormData(event.currentTarget);
    reset.mutate({ token, password: String(form.get('password')), end_keys: form.get('end_keys') === 'on' });
  };
  const title = t('resetTitle');
  if (!hasPasswords) return <PasswordsDisabled title={title} />;
  if (reset.isSuccess) {
    return (
      <Page title={title}>
        <Card as="h1" title={title}>
          <p role="status">{t('resetDone')}</p>
          <p>
            <Link to="/sign-in">{t('signIn')}</Link>
          </p>
        </Card>
      </Page>
    );
  }
  return (
    <Page title={title}>
      <Card as="h1" title={title} text={t(token === '' ? 'linkIncomplete' : 'resetText')}>
        {token !== '' && (
          <Form
            onSubmit={submit}
            error={reset.error}
            isBusy={reset.isPending}
            action={t('resetChangePassword')}
          >
            <Field
              name="password"
              label={t('resetPassword')}
              hint={t('passwordHint', { count: least })}
              problem={createFieldErrorLookup(reset.error)('password')}
              type="password"
              minLength={least}
              maxLength={maxPasswordLength}
              autoComplete="new-password"
              autoFocus
            />
            <Switch name="end_keys" label={t('resetRevokeKeys')} />
          </Form>
        )}
      </Card>
    </Page>
  );
}
