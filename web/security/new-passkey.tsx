/**
 * A form that adds a passkey: name and password, then the browser's dialog. The script is loaded on demand.
 */
import { type FormEvent, useState } from 'react';
import { t } from '../messages/messages.ts';
import { PasswordField } from '../settings/password-field.tsx';
import { createFieldErrorLookup, Field, Form } from '../ui/form.tsx';
import { describeDevice } from './devices.ts';
import { useAddPasskey } from './queries.ts';

export function NewPasskey({ username }: { username: string }) {
  const add = useAddPasskey();
  // A new React key empties the form after success.
  const [added, setAdded] = useState(0);
  const findProblem = createFieldErrorLookup(add.error);
  const submit = ({ currentTarget }: FormEvent<HTMLFormElement>) => {
    const form = new FormData(currentTarget);
    add.mutate(
      { name: String(form.get('name')).trim(), password: String(form.get('password')) },
      { onSuccess: () => setAdded((count) => count + 1) },
    );
  };
  return (
    <Form
      key={added}
      onSubmit={submit}
      error={add.error}
      isBusy={add.isPending}
      action={t('passkeyAdd')}
      done={add.isSuccess && t('passkeyAdded', { name: add.data.name })}
    >
      {/* Tells password managers which account the password belongs to. */}
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      <Field
        name="name"
        label={t('passkeyName')}
        problem={findProblem('name')}
        defaultValue={describeDevice(navigator.userAgent)}
        maxLength={50}
        autoComplete="off"
      />
      <PasswordField problem={findProblem('password') ?? findProblem('response')} />
    </Form>
  );
}
