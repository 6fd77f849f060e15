/** A form that changes the password. The script is loaded on demand. */
import { type FormEvent, useState } from 'react';
import { useMinPasswordLength } from '../auth/queries.ts';
import { t } from '../messages/messages.ts';
import { Switch } from '../ui/fields.tsx';
import { createFieldErrorLookup, Field, Form, maxPasswordLength } from '../ui/form.tsx';
import { useChangePassword } from './queries.ts';

export function PasswordForm({ username }: { username: string }) {
  const change = useChangePassword();
  const least = useMinPasswordLength();
  // A new React key empties the form after success.
  const [changes, setChanges] = useState(0);
  const findProblem = createFieldErrorLookup(change.error);
  const submit = ({ currentTarget }: FormEvent<HTMLFormElement>) => {
    const form = new FormData(currentTarget);
    change.mutate(
      {
        old_password: String(form.get('old_password')),
        new_password: String(form.get('new_password')),
        end_keys: form.get('end_keys') === 'on',
      },
      { onSuccess: () => setChanges((count) => count + 1) },
    );
  };
  const left = change.data ?? 0;
  return (
    <Form
      key={changes}
      onSubmit={submit}
      error={change.error}
      isBusy={change.isPending}
      action={t('passwordChange')}
      done={change.isSuccess && (left > 0 ? t('passwordDoneKeys', { count: left }) : t('passwordDone'))}
    >
      {/* Tells password managers which account the password belongs to. */}
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      <Field
        name="old_password"
        label={t('currentPassword')}
        problem={findProblem('old_password')}
        type="password"
        maxLength={1024}
        autoComplete="current-password"
      />
      <Field
        name="new_password"
        label={t('passwordNew')}
        hint={t('passwordHint', { count: least })}
        problem={findProblem('new_password')}
        type="password"
        minLength={least}
        maxLength={maxPasswordLength}
        autoComplete="new-password"
      />
      <Switch name="end_keys" label={t('passwordRevokeKeys')} />
    </Form>
  );
}
