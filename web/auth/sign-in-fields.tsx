/** Fields for the username and the password. */
import { t } from '../messages/messages.ts';
import { createFieldErrorLookup, Field } from '../ui/form.tsx';
import type { Credentials } from './sign-in/queries.ts';

interface Props {
  error: Error | null;
  /** Known username; the form then asks for the password only. */
  username?: string;
}

export function SignInFields({ error, username }: Props) {
  const findProblem = createFieldErrorLookup(error);
  const isKnown = username !== undefined;
  return (
    <>
      <Field
        name="username"
        label={t('usernameOrEmail')}
        problem={findProblem('username')}
        autoComplete="username"
        defaultValue={username}
        autoFocus={!isKnown}
      />
      <Field
        name="password"
        label={t('password')}
        problem={findProblem('password')}
        type="password"
        autoComplete="current-password"
        data-focus={isKnown || undefined}
      />
    </>
  );
}

export function readSignInCredentials(element: HTMLFormElement): Credentials {
  const form = new FormData(element);
  return { username: String(form.get('username')), password: String(form.get('password')) };
}
