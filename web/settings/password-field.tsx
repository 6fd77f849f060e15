/** A field for the current password, in forms that change an account's security. */
import type { InputHTMLAttributes } from 'react';
import { t } from '../messages/messages.ts';
import { Field } from '../ui/form.tsx';

type Props = { problem: string | undefined } & InputHTMLAttributes<HTMLInputElement>;

export function PasswordField(props: Props) {
  return (
    <Field
      name="password"
      label={t('currentPassword')}
      type="password"
      maxLength={1024}
      autoComplete="current-password"
      {...props}
    />
  );
}
